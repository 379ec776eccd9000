import type { Look, Paint } from './paint.ts';

/** A cell's text, and how it is to be looked at. */
export type Cell = string | { readonly text: string; readonly look: Look };

const unpainted: Paint = (_, text) => text;

/**
 * Prints rows as aligned columns, two spaces apart. Columns only ever grow, so that rows that come later stand below those that
 * were printed. Nothing is cut off, nothing stands behind the last column.
 */
export class TablePrinter {
  readonly #paint: Paint;
  readonly #indent: string;
  readonly #widths: number[] = [];

  constructor({ paint = unpainted, indent = '' }: { readonly paint?: Paint; readonly indent?: string } = {}) {
    this.#paint = paint;
    this.#indent = indent;
  }

  /** The rows as text, a line break behind each. */
  add(rows: readonly (readonly Cell[])[]): string {
    for (const row of rows) {
      for (const [column, cell] of row.entries()) this.#widths[column] = Math.max(this.#widths[column] ?? 0, textOf(cell).length);
    }
    return rows.map((row) => `${this.#line(row)}\n`).join('');
  }

  #line(row: readonly Cell[]): string {
    const last = row.findLastIndex((cell) => textOf(cell) !== '');
    const cells = row.slice(0, last + 1).map((cell, column) => {
      const text = textOf(cell);
      const shown = typeof cell === 'string' ? text : this.#paint(cell.look, text);
      return column === last ? shown : shown + ' '.repeat((this.#widths[column] ?? 0) - text.length);
    });
    return this.#indent + cells.join('  ');
  }
}

function textOf(cell: Cell): string {
  return typeof cell === 'string' ? cell : cell.text;
}

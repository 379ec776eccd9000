import { describe, expect, it } from 'vitest';
import { TablePrinter } from '../../src/cli/table-printer.ts';

describe('a table', () => {
  it('aligns columns two spaces apart and leaves nothing behind the last one', () => {
    const text = new TablePrinter().add([
      ['NAME', 'PHASE', 'AGE'],
      ['gpu-a', 'ScalingUp', '2d'],
      ['b', 'Failed', ''],
    ]);
    expect(text).toBe('NAME   PHASE      AGE\ngpu-a  ScalingUp  2d\nb      Failed\n');
  });

  it('keeps rows that come later below those that were printed', () => {
    const printer = new TablePrinter();
    expect(printer.add([['a', 'Pending', 'x']])).toBe('a  Pending  x\n');
    expect(printer.add([['a', 'Ok', 'y']])).toBe('a  Ok       y\n');
  });

  it('measures the text and not its colour', () => {
    const printer = new TablePrinter({ paint: (look, text) => `<${look}>${text}</>` });
    expect(
      printer.add([
        [{ text: 'Ok', look: 'good' }, 'x'],
        ['Failed', 'y'],
      ]),
    ).toBe('<good>Ok</>      x\nFailed  y\n');
  });
});

/** A text as a CEL literal. */
export function celText(text: string): string {
  return `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;
}

/** A list of texts as a CEL literal. */
export function celTexts(texts: readonly string[]): string {
  return `[${texts.map(celText).join(', ')}]`;
}

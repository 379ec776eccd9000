/** One value in the Distinguished Encoding Rules of ASN.1: tag, length, content. */
export function derValue(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.from([tag]), lengthOf(body.length), body]);
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return Buffer.from([0x80 | bytes.length, ...bytes]);
}

export const derSequence = (...content: readonly Uint8Array[]): Buffer => derValue(0x30, ...content);
export const derSet = (...content: readonly Uint8Array[]): Buffer => derValue(0x31, ...content);
export const derOctets = (content: Uint8Array): Buffer => derValue(0x04, content);
export const derText = (text: string): Buffer => derValue(0x0c, Buffer.from(text, 'utf8'));
export const derTrue = derValue(0x01, Buffer.from([0xff]));

/** A bit string of whole bytes, `unusedBits` of the last one unused. */
export const derBits = (content: Uint8Array, unusedBits = 0): Buffer => derValue(0x03, Buffer.from([unusedBits]), content);

/** A positive integer, most significant byte first. */
export function derInteger(bytes: Uint8Array): Buffer {
  const first = bytes[0] ?? 0;
  return first >= 0x80 ? derValue(0x02, Buffer.from([0]), bytes) : derValue(0x02, bytes);
}

/** An object identifier in dots: `2.5.4.3`. */
export function derOid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second, ...rest.flatMap(base128)];
  return derValue(0x06, Buffer.from(bytes));
}

function base128(value: number): number[] {
  const bytes = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) bytes.unshift((rest % 128) | 0x80);
  return bytes;
}

/** An instant before 2050, to the second. */
export function derTime(instant: Date): Buffer {
  const digits = instant.toISOString().replace(/[-:T]/g, '').slice(2, 14);
  return derValue(0x17, Buffer.from(`${digits}Z`, 'ascii'));
}

/**
 * A text that is no longer than the limit, in UTF-16 units; a longer one is cut and ends in three dots. A pair of surrogates that is
 * cut in two reads as the server stores it: what is written and what is read back are equal.
 */
export function cutText(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 3).toWellFormed()}...`;
}

/** Whether an author's function answered later instead of now. Its rejection, which nobody awaits, must not end the process. */
export function isPromise(value: unknown): value is PromiseLike<unknown> {
  if (typeof value !== 'object' || value === null || !('then' in value)) return false;
  if (value instanceof Promise) value.catch(() => undefined);
  return true;
}

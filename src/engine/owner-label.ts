import { createHash } from 'node:crypto';
import { keyOf } from '../resource/object-key.ts';

/** Kubernetes' limit for a label's value. */
const longestLabel = 63;

/**
 * The value of the label that says whose dependent an object is: `<lifecycle>.<name>` or `<lifecycle>.<namespace>.<name>`. It is
 * made from names, not from the UID, so that dependents restored from a backup are found again. A value that would be too long is
 * cut and ends in a digest.
 */
export function ownerLabelValue(lifecycle: string, owner: { readonly name: string; readonly namespace?: string | undefined }): string {
  const key = keyOf(owner);
  const value = `${lifecycle}.${key.replace('/', '.')}`;
  if (value.length <= longestLabel) return value;
  const digest = createHash('sha256').update(`${lifecycle}/${key}`).digest('hex').slice(0, 24);
  return `${value.slice(0, longestLabel - digest.length - 1)}.${digest}`.replace('..', '.');
}

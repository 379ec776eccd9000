import { PhasekeeperError } from '../failure/phasekeeper-error.ts';

/** A zod schema says something that a CustomResourceDefinition cannot say, or would say differently. Code `SCHEMA_UNSUPPORTED`, fatal. */
export class SchemaError extends PhasekeeperError {
  override readonly name = 'SchemaError';

  /**
   * @param path where in the object: `spec.disks[].size`
   * @param reason what the API server would not do
   * @param alternative what to write instead
   */
  constructor(path: string, reason: string, alternative: string) {
    super(`${path}: ${reason}`, {
      code: 'SCHEMA_UNSUPPORTED',
      disposition: 'fatal',
      data: { path, reason, alternative },
      hint: alternative,
    });
  }
}

import { z } from 'zod';

/** Whether an object schema names any field; anything else counts as one that does. */
export function hasFields(schema: z.ZodType): boolean {
  return !(schema instanceof z.ZodObject) || Object.keys(schema.shape).length > 0;
}

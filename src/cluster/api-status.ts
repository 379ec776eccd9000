import * as z from 'zod';

const causeSchema = z.looseObject({
  reason: z.string().optional(),
  message: z.string().optional(),
  field: z.string().optional(),
});

const detailsSchema = z.looseObject({
  name: z.string().optional(),
  group: z.string().optional(),
  kind: z.string().optional(),
  uid: z.string().optional(),
  retryAfterSeconds: z.number().optional(),
  causes: z.array(causeSchema).optional(),
});

const statusSchema = z.looseObject({
  kind: z.literal('Status'),
  status: z.string().optional(),
  message: z.string().optional(),
  reason: z.string().optional(),
  code: z.number().optional(),
  details: detailsSchema.optional(),
});

/** `metav1.Status`: what the API server says about a failure, or about a delete. */
export type ApiStatus = z.infer<typeof statusSchema>;

export type ApiStatusDetails = z.infer<typeof detailsSchema>;

/** The Status in a parsed answer; undefined when it is something else. */
export function asStatus(value: unknown): ApiStatus | undefined {
  const parsed = statusSchema.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}

/** The Status in an answer's body; undefined when the body is not JSON or something else. */
export function parseStatus(body: string): ApiStatus | undefined {
  if (!body.startsWith('{')) return undefined;
  try {
    return asStatus(JSON.parse(body));
  } catch {
    return undefined;
  }
}

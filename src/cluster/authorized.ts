import type { Credentials } from './credentials.ts';
import type { ApiResponse } from './transport.ts';

/** Sends with the credentials' header; a 401 makes them look for a newer one at once, and if there is one the send is repeated. */
export async function authorized(
  credentials: Credentials,
  send: (authorization: string | undefined) => Promise<ApiResponse>,
): Promise<ApiResponse> {
  const offered = credentials.authorization();
  const header = typeof offered === 'object' ? await offered : offered;
  const response = await send(header);
  if (response.status !== 401 || !(await credentials.renew(header))) return response;
  return send(await credentials.authorization());
}

// The endpoint that a request is for.
import type { HttpRequest } from '../../../base/transport/transport.ts';
import type { Path } from './faults.ts';

export type PathOf = (request: HttpRequest) => Path;

export function pathOf({ method, path }: HttpRequest): Path {
  if (method === 'POST') return 'action';
  if (path.startsWith('/account/')) return 'account';
  if (path.startsWith('/trades')) return 'trades';
  if (path.startsWith('/market/')) return 'book';
  if (path.startsWith('/markets/live')) return 'live';
  if (path === '/timestamp') return 'time';
  return path.startsWith('/user/') ? 'user' : 'info';
}

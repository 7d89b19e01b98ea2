// Finds the endpoint of a request, wraps its result in the envelope and turns errors into replies.
import type { ServerReply } from '../faults.ts';
import type { Request } from '../http.ts';
import { ApiError, errorReply, notFoundReply } from './api-error.ts';
import type { ProcessState } from './process-state.ts';
import { type Call, ROUTES, type Route } from './routes.ts';

export interface Dispatched {
  readonly reply: ServerReply;
  /** True if the request changes state. */
  readonly isWrite: boolean;
}

/** Returns the reply. Throws `NoReply` if the request must stay unanswered. */
export function dispatch(state: ProcessState, request: Request): Dispatched {
  const { differences } = state.settings;
  const { pathname, searchParams } = new URL(request.path, 'http://loopback');
  for (const route of ROUTES) {
    const params = isServed(route, request, state) ? paramsIn(route.path, pathname) : undefined;
    if (params === undefined) continue;
    const isWrite = request.method !== 'GET' || route.isWrite === true;
    return { isWrite, reply: replyOf(route, { state, differences, params, query: new Map(searchParams) }, request) };
  }
  return { isWrite: false, reply: notFoundReply({ method: request.method, path: pathname }, differences) };
}

const isServed = ({ method, on, off }: Route, request: Request, { settings: { differences } }: ProcessState): boolean =>
  method === request.method && (on === undefined || differences[on]) && (off === undefined || !differences[off]);

function paramsIn(template: string, path: string): string[] | undefined {
  const [expected, actual] = [template.split('/'), path.split('/')];
  const fits = (part: string, index: number): boolean => part === actual[index] || (part.startsWith('{') && actual[index] !== '');
  if (expected.length !== actual.length || !expected.every(fits)) return undefined;
  return actual.filter((_, index) => expected[index]?.startsWith('{'));
}

function replyOf(route: Route, call: Omit<Call, 'body'>, request: Request): ServerReply {
  try {
    const whole = { ...call, params: call.params.map(decoded), body: bodyOf(request) };
    const more = route.hasMoreData === undefined ? {} : { hasMoreData: route.hasMoreData(whole) };
    return { status: 200, json: { success: true, result: route.result(whole), ...more } };
  } catch (thrown) {
    if (thrown instanceof ApiError) return errorReply(thrown, call.differences);
    throw thrown;
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new ApiError('malformed', `${text} has a % that is no escape`);
  }
}

/** Returns the JSON of the body; undefined if the body is absent or has another content type. */
function bodyOf({ body, contentType }: Request): unknown {
  if (body === undefined || body.length === 0 || !contentType?.startsWith('application/json')) return undefined;
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch (error) {
    throw new ApiError('unreadable', String(error));
  }
}

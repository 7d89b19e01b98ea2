// From a request to its answer: the endpoint is found, its result put into the envelope, its refusal into words.
import type { Sent } from '../faults.ts';
import type { Request } from '../http.ts';
import type { House } from './house.ts';
import { answerTo, nothingAt, Problem } from './problem.ts';
import { type Call, ROUTES, type Route } from './routes.ts';

export interface Answered {
  readonly sent: Sent;
  /** Whether the request was one that changes something. */
  readonly deed: boolean;
}

/** Throws `Silence` where no answer is to come. */
export function answered(house: House, request: Request): Answered {
  const { rows } = house.settings;
  const { pathname, searchParams } = new URL(request.path, 'http://loopback');
  for (const route of ROUTES) {
    const params = isHere(route, request, house) ? paramsIn(route.path, pathname) : undefined;
    if (params === undefined) continue;
    const deed = request.method !== 'GET' || route.deed === true;
    return { deed, sent: sentBy(route, { house, rows, params, query: new Map(searchParams) }, request) };
  }
  return { deed: false, sent: nothingAt({ method: request.method, path: pathname }, rows) };
}

const isHere = ({ method, on, off }: Route, request: Request, { settings: { rows } }: House): boolean =>
  method === request.method && (on === undefined || rows[on]) && (off === undefined || !rows[off]);

function paramsIn(template: string, path: string): string[] | undefined {
  const [expected, actual] = [template.split('/'), path.split('/')];
  const fits = (part: string, index: number): boolean => part === actual[index] || (part.startsWith('{') && actual[index] !== '');
  if (expected.length !== actual.length || !expected.every(fits)) return undefined;
  return actual.filter((_, index) => expected[index]?.startsWith('{'));
}

function sentBy(route: Route, call: Omit<Call, 'body'>, request: Request): Sent {
  try {
    const whole = { ...call, params: call.params.map(decoded), body: bodyOf(request) };
    const more = route.hasMoreData === undefined ? {} : { hasMoreData: route.hasMoreData(whole) };
    return { status: 200, json: { success: true, result: route.result(whole), ...more } };
  } catch (thrown) {
    if (thrown instanceof Problem) return answerTo(thrown, call.rows);
    throw thrown;
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Problem('malformed', `${text} has a % that is no escape`);
  }
}

/** A body of another type than JSON is passed over. */
function bodyOf({ body, contentType }: Request): unknown {
  if (body === undefined || body.length === 0 || !contentType?.startsWith('application/json')) return undefined;
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch (error) {
    throw new Problem('unreadable', String(error));
  }
}

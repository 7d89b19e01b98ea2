// From a request to the endpoint that answers it, by a table of path templates.
import { suggestion } from '../base/nearest.ts';
import type { Handler, HttpReply, HttpRequest } from '../base/transport.ts';
import { badRequest, jsonReply, Refused } from './reply.ts';

type Placeholders<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | Placeholders<Rest> : never;

/** What an endpoint is given: the text of each `{placeholder}`, of each query parameter that was sent, and the request itself. */
export interface Call<Path extends string, Parameter extends string> {
  readonly path: Readonly<Record<Placeholders<Path>, string>>;
  readonly query: Readonly<Partial<Record<Parameter, string>>>;
  readonly request: HttpRequest;
}

export interface Route {
  readonly method: HttpRequest['method'];
  readonly segments: readonly string[];
  readonly parameters: readonly string[];
  readonly answer: (call: Call<string, string>) => HttpReply;
}

/** One row of the table; `path` is written as in the interface document, `/market/{market}/stats`. */
export function route<Path extends string, Parameter extends string = never>({
  method = 'GET',
  path,
  parameters = [],
  answer,
}: {
  method?: HttpRequest['method'];
  path: Path;
  parameters?: readonly Parameter[];
  answer: (call: Call<Path, Parameter>) => HttpReply;
}): Route {
  return { method, segments: path.split('/'), parameters, answer: answer as Route['answer'] };
}

/** A handler over the table. An unknown path is 404, a known path with another method 405, an unknown or repeated query parameter 400: JSON each. */
export function routed(routes: readonly Route[]): Handler {
  return (request) => {
    try {
      return dispatch(routes, request);
    } catch (thrown) {
      if (thrown instanceof Refused) return jsonReply(thrown.body, thrown.status);
      throw thrown;
    }
  };
}

function dispatch(routes: readonly Route[], request: HttpRequest): HttpReply {
  const [path = '', ...queries] = request.path.split('?');
  const segments = path.split('/');
  const here = routes.filter((candidate) => matches(candidate.segments, segments));
  if (here.length === 0) throw new Refused(404, { message: 'there is nothing at this path' });
  const chosen = here.find(({ method }) => method === request.method);
  if (chosen === undefined) throw new Refused(405, { message: `only ${here.map(({ method }) => method).join(', ')} is served here` });
  return chosen.answer({ path: placeholdersOf(chosen.segments, segments), query: queryOf(queries.join('?'), chosen.parameters), request });
}

const isPlaceholder = (segment: string): boolean => segment.startsWith('{');

const matches = (template: readonly string[], segments: readonly string[]): boolean =>
  template.length === segments.length &&
  template.every((expected, index) => (isPlaceholder(expected) ? segments[index] !== '' : expected === segments[index]));

function placeholdersOf(template: readonly string[], segments: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {};
  template.forEach((expected, index) => {
    if (isPlaceholder(expected)) found[expected.slice(1, -1)] = segments[index] ?? '';
  });
  return found;
}

/** Not URLSearchParams, which would read the `+` of a time zone as a space. */
function queryOf(text: string, known: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (const pair of text.split('&').filter((part) => part !== '')) {
    const [name, ...value] = pair.split('=').map(percentDecoded);
    if (name === undefined || !known.includes(name)) throw badRequest(`unknown parameter "${name}": ${whatIsKnown(name ?? '', known)}`);
    if (Object.hasOwn(found, name)) throw badRequest(`parameter ${name} is given twice`);
    found[name] = value.join('=');
  }
  return found;
}

const whatIsKnown = (name: string, known: readonly string[]): string =>
  known.length === 0 ? 'this path takes none' : suggestion(name, known);

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw badRequest('the query has a % that is not an escape');
  }
}

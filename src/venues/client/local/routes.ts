// Calls endpoints that may be at one of two paths; keeps the path of the first success.
import { ClientError } from '../../../base/transport/client-error.ts';

type Call<A, T> = (argument: A) => Promise<T>;

interface Paths<A, T> {
  /** The documented path, if the document is unambiguous; tried first. */
  readonly usual: Call<A, T>;
  readonly other: Call<A, T>;
}

/** Returns a call for reads, which have no side effects: it tries the other path after any answer that is not a result. */
export const readAtEitherPath = <A, T>(paths: Paths<A, T>): Call<A, T> => eitherPath(paths, { triesOther: isAnswer, choose: moreSpecific });

/** Returns a call for writes: it tries the other path only after a 404, which proves that the write was not executed. */
export const writeAtEitherPath = <A, T>(paths: Paths<A, T>): Call<A, T> =>
  eitherPath(paths, { triesOther: ({ status }) => status === 404, choose: (_, second) => second });

function eitherPath<A, T>(
  { usual, other }: Paths<A, T>,
  { triesOther, choose }: { triesOther: (error: ClientError) => boolean; choose: (first: ClientError, second: ClientError) => ClientError },
): Call<A, T> {
  /** The path of the first success. */
  let chosenPath: Call<A, T> | undefined;
  const tryAt = async (path: Call<A, T>, argument: A): Promise<T> => {
    const result = await path(argument);
    chosenPath = path;
    return result;
  };
  return async (argument) => {
    if (chosenPath !== undefined) return chosenPath(argument);
    try {
      return await tryAt(usual, argument);
    } catch (first) {
      if (!(first instanceof ClientError) || !triesOther(first)) throw first;
      try {
        return await tryAt(other, argument);
      } catch (second) {
        if (!(second instanceof ClientError)) throw second;
        const { kind, status } = choose(first, second);
        const reason = [first.reason, second.reason].filter((part) => part !== undefined).join('; ') || undefined;
        throw new ClientError({ kind, status, reason, message: `${first.message}; ${second.message}` });
      }
    }
  };
}

const isAnswer = ({ status }: ClientError): boolean => status !== undefined;

/** Returns the more specific error: a failure of the read, then `notFound`, then a sign that the path is another endpoint's. */
const moreSpecific = (first: ClientError, second: ClientError): ClientError => (rank(second) > rank(first) ? second : first);

function rank({ kind, status }: ClientError): number {
  if (kind === 'shape' || status === 405) return 0;
  return kind === 'notFound' ? 1 : 2;
}

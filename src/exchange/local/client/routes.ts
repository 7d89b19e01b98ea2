// Endpoints that are at one of two places: which it is, is learned from the first success and kept.
import { LocalError } from './error.ts';

type Call<A, T> = (argument: A) => Promise<T>;

interface Places<A, T> {
  /** Where the interface document has it, where that is not ambiguous; tried first. */
  readonly usual: Call<A, T>;
  readonly other: Call<A, T>;
}

/** A read does no harm anywhere: whatever the server answers at one place, but a result, may mean that the endpoint is at the other. */
export const movedRead = <A, T>(places: Places<A, T>): Call<A, T> => moved(places, { isElsewhere: isAnswer, choose: moreTelling });

/** A deed may only be tried elsewhere when it certainly was not done here: after a 404, and after nothing else. */
export const movedWrite = <A, T>(places: Places<A, T>): Call<A, T> =>
  moved(places, { isElsewhere: ({ status }) => status === 404, choose: (_, second) => second });

function moved<A, T>(
  { usual, other }: Places<A, T>,
  { isElsewhere, choose }: { isElsewhere: (error: LocalError) => boolean; choose: (first: LocalError, second: LocalError) => LocalError },
): Call<A, T> {
  let known: Call<A, T> | undefined;
  const tryAt = async (place: Call<A, T>, argument: A): Promise<T> => {
    const result = await place(argument);
    known = place;
    return result;
  };
  return async (argument) => {
    if (known !== undefined) return known(argument);
    try {
      return await tryAt(usual, argument);
    } catch (first) {
      if (!(first instanceof LocalError) || !isElsewhere(first)) throw first;
      try {
        return await tryAt(other, argument);
      } catch (second) {
        if (!(second instanceof LocalError)) throw second;
        const { kind, status } = choose(first, second);
        const reason = [first.reason, second.reason].filter((part) => part !== undefined).join('; ') || undefined;
        throw new LocalError({ kind, status, reason, message: `${first.message}; ${second.message}` });
      }
    }
  };
}

const isAnswer = ({ status }: LocalError): boolean => status !== undefined;

/** The failure of the read itself outranks its subject's absence, and that the sign of a path that belongs to something else. */
const moreTelling = (first: LocalError, second: LocalError): LocalError => (rank(second) > rank(first) ? second : first);

function rank({ kind, status }: LocalError): number {
  if (kind === 'shape' || status === 405) return 0;
  return kind === 'notFound' ? 1 : 2;
}

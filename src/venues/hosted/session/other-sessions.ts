// The other living sessions of our user: another program or a person may trade on the account. Programs that share no folder notice each other so only.
import { BehaviorSubject, filter, map, type Observable } from 'rxjs';
import { type Millis, SingleTimer } from '../../../base/clock.ts';
import { timeText } from '../../../base/text/duration.ts';
import type { HealthSeen } from '../../../bot/domain/event.ts';
import type { SessionId } from '../../../bot/domain/ids.ts';
import type { SigningContext } from '../signing-context.ts';

/** How often the list of sessions is read between two renewals. */
const LOOK_EVERY: Millis = 180_000;

/** A session in the user's list, which may lack the id. */
export interface ListedSession {
  readonly pubkey: string;
  readonly id: SessionId | undefined;
  /** Engine time, in seconds. */
  readonly expires: number;
}

export class OtherSessions {
  readonly #options: Pick<SigningContext, 'clock' | 'log'>;
  readonly #timer: SingleTimer;
  /** Undefined until a list had another session. */
  readonly #living = new BehaviorSubject<readonly ListedSession[] | undefined>(undefined);
  #reportedKeys: ReadonlySet<string> = new Set();

  constructor(options: Pick<SigningContext, 'clock' | 'log'>) {
    this.#options = options;
    this.#timer = new SingleTimer(options.clock);
  }

  /** Starts with the sessions that the last read had, and emits when a session appears and when the last one is gone. */
  get events(): Observable<HealthSeen> {
    return this.#living.pipe(
      filter((living) => living !== undefined),
      map((living): HealthSeen => ({ kind: 'healthSeen', at: this.#options.clock.now(), stream: 'sessions', ...healthOf(living) })),
    );
  }

  /** Called with each list of sessions that was read, without those of the state directory's key, which its earlier processes and `kill` use too. */
  seen(living: readonly ListedSession[]): void {
    const fresh = living.filter(({ pubkey }) => !this.#reportedKeys.has(pubkey));
    for (const session of fresh) this.#options.log.warn(wordsOf([session]));
    const ended = living.length === 0 && this.#reportedKeys.size > 0;
    this.#reportedKeys = new Set(living.map(({ pubkey }) => pubkey));
    if (fresh.length > 0 || ended) this.#living.next(living);
  }

  /** Reads the list again every few minutes, until `close`. A read that fails shows nothing. */
  watch(look: () => Promise<unknown>): void {
    this.#timer.set(LOOK_EVERY, () => {
      look().catch(() => undefined);
      this.watch(look);
    });
  }

  close(): void {
    this.#timer.cancel();
    this.#living.complete();
  }
}

const healthOf = (living: readonly ListedSession[]): Pick<HealthSeen, 'healthy' | 'reason'> =>
  living.length === 0 ? { healthy: true, reason: 'no other session of this user is alive' } : { healthy: false, reason: wordsOf(living) };

function wordsOf(sessions: readonly ListedSession[]): string {
  const named = sessions.map(({ pubkey, id = 'without an id', expires }) => `${id}, key ${pubkey}, until ${timeText(expires * 1_000)}`);
  return `another session of this user is alive (${named.join('; ')}): another program or a person may trade on this account; stop it, or give each bot its own account`;
}

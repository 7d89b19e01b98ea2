// The session in which a canceller signs: that of the run while it lives, else one that is opened with the user's key.
import type { Clock, Millis } from '../../base/clock.ts';
import type { Rng } from '../../base/rng.ts';
import type { SessionId } from '../../domain/ids.ts';
import type { CancelTimes } from '../../exchange/kit/sending/cancel-times.ts';
import { NO_WRITE_AHEAD, type WriteAhead } from '../../exchange/kit/sending/outgoing.ts';
import type { Receipt } from '../../wire/codec.ts';
import { meaningOf } from '../../wire/errors.ts';
import type { EngineTime } from './session/engine-time.ts';
import { type LiveSession, type OpeningOptions, openSession, SessionNotAsked } from './session/open-session.ts';
import { OtherSessions } from './session/other-sessions.ts';
import { SessionBackOff } from './session/session-back-off.ts';
import { SessionRefusals, type SignedIn, TooManySessions } from './session/session-refusals.ts';

const SESSION_SECONDS = 3_600;
/** A session this close to its expiry is not used. */
const EXPIRY_MARGIN_SECONDS = 5;
/** Pause after a failed attempt that requested no session. */
const RETRY_PAUSE: Millis = 2_000;

export interface CancellerSessionOptions extends Pick<OpeningOptions, 'client' | 'codec' | 'signer' | 'wallet' | 'nextNonce' | 'log'> {
  readonly clock: Clock;
  readonly rng: Rng;
  readonly times: CancelTimes;
  /** The exchange's time, or ours if it cannot be read. */
  readonly time: () => Promise<EngineTime>;
  /** Rejects if the exchange reads our bytes differently. */
  readonly compareSchemas: () => Promise<void>;
}

export class CancellerSession {
  readonly #options: CancellerSessionOptions;
  readonly #backOff: SessionBackOff;
  readonly #others: OtherSessions;
  readonly #refusals = new SessionRefusals();
  readonly #lost = new Set<SessionId>();
  #session: LiveSession | undefined;
  /** A session whose signatures were refused: used only while no other may be requested. */
  #refused: LiveSession | undefined;
  readonly #granted = { lifeSeconds: SESSION_SECONDS };
  #opening: Promise<LiveSession> | undefined;
  #notBefore: Millis = 0;
  /** No further session is requested before this time. */
  #nextSession: Millis = 0;

  constructor(options: CancellerSessionOptions) {
    this.#options = options;
    this.#backOff = new SessionBackOff(options.rng);
    this.#others = new OtherSessions(options);
  }

  /** Returns the session of an action that is sent now; opens one for all waiting cancels together, and after a failure only after a pause. */
  async signedIn(): Promise<SignedIn> {
    const { id } = await this.#usable();
    return { id, connection: this.#refusals.connection };
  }

  /** Called with each receipt. Returns what to add to the text of a refusal. */
  answered(signedIn: SignedIn, receipt: Receipt): string {
    if (receipt.kind === 'cancelOrder') this.#backOff.lived();
    const verdict = this.#refusals.observe(signedIn, receipt);
    const isLost = receipt.kind === 'err' && meaningOf(receipt.error) === 'session';
    if (isLost || verdict === 'unwanted') this.#drop(signedIn.id, isLost);
    return verdict === 'hopeless' || this.#refusals.isHopeless
      ? ', in a new session too: the key of the session or the action schema is wrong; give the schema of the exchange with --schema FILE'
      : '';
  }

  /** Drops a session that the exchange refused, unless another one has been opened since. */
  #drop(id: SessionId, isLost: boolean): void {
    if (this.#session?.id !== id) return;
    this.#lost.add(id);
    this.#refused = isLost ? undefined : this.#session;
    this.#session = undefined;
    this.#notBefore = this.#nextSession;
  }

  async #usable(): Promise<LiveSession> {
    const { clock } = this.#options;
    if (this.#session !== undefined && (await this.#now()) < this.#session.expires - EXPIRY_MARGIN_SECONDS) return this.#session;
    if (clock.now() < this.#notBefore) throw new Error('waiting before another session is requested');
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  /** Engine time in seconds: the accepted one if the exchange's clock is wrong. */
  async #now(): Promise<number> {
    const { clock, time, times } = this.#options;
    return times.acceptedAt(clock.now()) ?? (await time()).estimate(clock.now());
  }

  async #open(): Promise<LiveSession> {
    const { clock, compareSchemas, time } = this.#options;
    let asked = false;
    const writeAhead: WriteAhead = (sealed) => {
      asked = true;
      return NO_WRITE_AHEAD(sealed);
    };
    try {
      await compareSchemas();
      const opening = { ...this.#options, time: await time(), others: this.#others, writeAhead, lifeSeconds: SESSION_SECONDS };
      this.#session = await openSession(
        { ...opening, granted: this.#granted },
        { ids: this.#lost, after: (await this.#now()) + EXPIRY_MARGIN_SECONDS, requesting: () => this.#refusals.requesting(clock.now()) },
      );
      this.#refusals.replaced();
      if (asked) this.#countSession();
      return this.#session;
    } catch (error) {
      if (error instanceof TooManySessions && this.#refused !== undefined) return this.#refused;
      if (asked && !(error instanceof SessionNotAsked)) this.#countSession();
      this.#notBefore = Math.max(clock.now() + RETRY_PAUSE, this.#nextSession);
      throw error;
    }
  }

  /** Counts a requested session; the pause before the next one grows. */
  #countSession(): void {
    const now = this.#options.clock.now();
    this.#nextSession = now + this.#backOff.next(now);
  }
}

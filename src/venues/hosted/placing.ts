// Signs approved actions and sends each once. The signed bytes are the record of an action, so they exist before any is sent.
import { type Observable, Subject } from 'rxjs';
import type { Millis } from '../../base/clock.ts';
import { type Action, type CancelOrder, DEFAULT_ORDER_LIFE } from '../../bot/domain/action.ts';
import type { AccountEvent } from '../../bot/domain/event.ts';
import type { SessionId, UpdateId } from '../../bot/domain/ids.ts';
import { canRest } from '../../bot/domain/order.ts';
import type { SealedAction } from '../../bot/exchange/kit/sending/outgoing.ts';
import type { ActionResult, PreparedAction } from '../../bot/exchange/kit/venue-client.ts';
import { ActionSender } from '../client/hosted-actions.ts';
import { type AgedCancel, BackDating } from '../shared/back-dating.ts';
import type { Receipt } from '../wire/codec.ts';
import { seal, wireActionOf } from '../wire/sign-action.ts';
import type { Owner } from './account-reads.ts';
import { resultOf, timeVerdictOf } from './action-result.ts';
import { SIGNED_TIMES } from './rules.ts';
import type { Session } from './session/session.ts';
import type { SigningContext } from './signing-context.ts';

/** Errors that may be caused by the reduce-only mark: exchanges differ in which reduce-only orders they accept. */
const REFUSE_REDUCE_ONLY: ReadonlySet<string> = new Set([
  'ORDER_REDUCE_IS_POST_ONLY',
  'ONLY_IMMEDIATE_ORDERS_ALLOWED',
  'NOT_IMPLEMENTED',
  'DECODE_FAILURE',
  'DECODE_FAILURE_RAW',
  'DECODE_FAILURE_DOMAIN',
]);

interface Sealed {
  readonly action: Action;
  readonly timestamp: number;
  readonly sessionId: SessionId;
  readonly record: SealedAction & { readonly body: Uint8Array };
}

export interface SignedActionsOptions extends SigningContext, Owner {
  readonly session: Session;
}

export class SignedActions {
  readonly #options: SignedActionsOptions;
  /** Signs orders with a time in the past, so that their bytes expire sooner. */
  readonly #backDating: BackDating;
  readonly #sender: ActionSender;
  readonly #broken = new Subject<never>();
  /** The update id of the newest account snapshot. */
  #accountUpdateId: UpdateId | undefined;
  /**
   * True once the exchange has refused an order because it was marked reduce-only: later orders are sent without the mark, and only the guards ensure
   * that they reduce.
   */
  #reduceOnlyRefused = false;

  constructor(options: SignedActionsOptions) {
    this.#options = options;
    this.#backDating = new BackDating({ ...options, ...SIGNED_TIMES, cancelAt: (order, seconds) => this.#cancelAt(order, seconds) });
    this.#sender = new ActionSender(options);
  }

  /** Emits nothing; errors only with an AssertionError. */
  get events(): Observable<never> {
    return this.#broken;
  }

  prepare(action: Action): PreparedAction {
    const { clock, time, session, onlyCancels } = this.#options;
    const isCancel = action.kind === 'cancel';
    const unsent = (reason: string): PreparedAction => ({ kind: 'unsent', action, reason });
    const timestamp = this.#timestampFor(action, clock.now());
    const sessionId = isCancel ? session.forCancels() : session.usable();
    if (timestamp === undefined) return unsent("the exchange's time was received too long ago");
    if (sessionId === undefined) return unsent('there is no session to sign with');
    if (isCancel && !onlyCancels && session.holdsBack())
      return unsent('the exchange refuses our signatures; one cancel is sent every few seconds');
    const sealed = this.#seal(action, { timestamp, sessionId });
    const deadAfter = timestamp + DEFAULT_ORDER_LIFE;
    return {
      kind: 'ready',
      action,
      record: sealed.record,
      deadAfter,
      life: (deadAfter - time.latest().seconds) * 1_000,
      send: () => (isCancel ? this.#sendCancel(sealed) : this.#send(sealed).then((receipt) => resultOf(action, receipt))),
    };
  }

  observe(event: AccountEvent): void {
    const { clock, times } = this.#options;
    if (event.kind === 'accountSeen') {
      this.#accountUpdateId = event.account.updateId;
      times.settle(clock.now());
    }
    if (event.kind !== 'orderUnknown') return;
    this.#backDating.unanswered(clock.now()).catch((error: unknown) => this.#broken.error(error));
  }

  #seal(action: Action, { timestamp, sessionId }: Pick<Sealed, 'timestamp' | 'sessionId'>): Sealed {
    const { codec, clock, time, signer, nextNonce, sender } = this.#options;
    const heard = time.signable(clock.now());
    const nonce = nextNonce();
    const extras = this.#reduceOnlyRefused ? { ...codec.extras, reduceOnly: false } : codec.extras;
    const body = seal(wireActionOf(action, { timestamp, nonce, sessionId, sender, extras }), { codec, signer });
    const { kind, clientOrderId } = action;
    return {
      action,
      timestamp,
      sessionId,
      record: { action: kind, clientOrderId, timestamp, heard, account: this.#accountUpdateId, nonce, body },
    };
  }

  /** Only orders that can rest are back-dated. Undefined if the exchange's time is not known well enough. */
  #timestampFor(action: Action, now: Millis): number | undefined {
    const { time, times } = this.#options;
    if (action.kind === 'cancel') return times.at(now);
    return canRest(action.fillMode) ? this.#backDating.signable(now) : time.signable(now);
  }

  /** Sends a cancel, and signs it again with other times while the exchange refuses the time of its own clock. */
  async #sendCancel(prepared: Sealed): Promise<ActionResult> {
    const { action, sessionId, timestamp: first } = prepared;
    const { session, times } = this.#options;
    let isFirst = true;
    const send = (timestamp: number): Promise<Receipt> => {
      const isPrepared = isFirst && timestamp === first;
      isFirst = false;
      return isPrepared ? this.#send(prepared) : this.#sealAndSend(action, { timestamp, sessionId: session.forCancels() ?? sessionId });
    };
    return resultOf(action, await times.send(first, { send, verdictOf: timeVerdictOf }));
  }

  /** Cancels an order again, signed for exactly this second. */
  async #cancelAt(order: CancelOrder, timestamp: number): Promise<AgedCancel> {
    const sessionId = this.#options.session.usable();
    if (sessionId === undefined) return 'unclear';
    const receipt = await this.#sealAndSend(order, { timestamp, sessionId });
    const verdict = receipt.kind === 'err' ? timeVerdictOf(receipt) : 'unclear';
    return verdict === 'accepted' ? 'executed' : verdict;
  }

  /** Sends what was not prepared, and is therefore not yet written ahead. */
  #sealAndSend(action: Action, terms: Pick<Sealed, 'timestamp' | 'sessionId'>): Promise<Receipt> {
    const sealed = this.#seal(action, terms);
    this.#options.writeAhead([sealed.record]);
    return this.#send(sealed);
  }

  async #send(sealed: Sealed): Promise<Receipt> {
    const { session } = this.#options;
    const { connection } = session;
    const { action, sessionId, record } = sealed;
    const receipt = await this.#sender.send(action, record.body);
    if (receipt.kind === 'err' && action.kind === 'place' && action.reduceOnly === true)
      this.#reduceOnlyRefused ||= REFUSE_REDUCE_ONLY.has(receipt.error);
    session.answered({ id: sessionId, connection }, receipt);
    if (receipt.kind === 'cancelOrder' && action.kind === 'cancel') this.#backDating.cancelled(action);
    return receipt;
  }
}

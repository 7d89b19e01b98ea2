// The gateway to the hosted exchange: signs each approved action, sends it once, and emits its outcome as an event.
import { type Observable, type Subject, tap } from 'rxjs';
import type { Millis } from '../../base/clock.ts';
import type { Action } from '../../domain/action.ts';
import type { AccountEvent } from '../../domain/event.ts';
import type { AccountId, SessionId, UpdateId } from '../../domain/ids.ts';
import { canRest } from '../../domain/order.ts';
import { meaningOf } from '../../wire/errors.ts';
import { type SendConditions, type SendPermit, whyNotSend } from '../kit/sending/outgoing.ts';
import { isDefinite, noAnswerWithin, notSent, Sender } from '../kit/sending/sender.ts';
import type { Gateway } from '../port.ts';
import { type Reply, replyOf } from './client/receipt.ts';
import { Echo } from './echo.ts';
import { outcomeOf } from './outcome.ts';
import type { ActionTools, BackDating } from './session/back-dating.ts';
import { seal, wireActionOf } from './session/sign-action.ts';

/** How long the gateway waits for an answer; a later answer is still processed. */
const ANSWER_TIMEOUT: Millis = 3_000;

export interface GatewayOptions extends Omit<ActionTools, 'log'> {
  readonly account: AccountId;
  /** Signs orders with a time in the past, so that their bytes expire sooner. */
  readonly backDating: BackDating;
  /** The polled events of the account. */
  readonly seen: Observable<AccountEvent>;
  /** Called when the exchange confirms that it executed an action, with the moment when the action was sent. */
  readonly executedAfter: (sent: Millis) => void;
  /** Emits when the gateway closes, so that all its streams end. */
  readonly closing: Subject<void>;
}

/** Errors that may be caused by the reduce-only mark: exchanges differ in which reduce-only orders they accept. */
const REFUSE_REDUCE_ONLY: ReadonlySet<string> = new Set([
  'ORDER_REDUCE_IS_POST_ONLY',
  'ONLY_IMMEDIATE_ORDERS_ALLOWED',
  'NOT_IMPLEMENTED',
  'DECODE_FAILURE',
  'DECODE_FAILURE_RAW',
  'DECODE_FAILURE_DOMAIN',
]);

/** A signed action, ready to be sent. */
interface Sealed {
  readonly kind: 'sealed';
  readonly action: Action;
  readonly body: Uint8Array;
  readonly timestamp: number;
  readonly nonce: number;
  readonly sessionId: SessionId;
}

/** An action that cannot be sent. */
interface Unsent {
  readonly kind: 'unsent';
  readonly action: Action;
  readonly reason: string;
}

export class HostedGateway implements Gateway {
  readonly account: AccountId;
  readonly events: Observable<AccountEvent>;
  readonly #options: GatewayOptions;
  readonly #sender: Sender;
  /** The update id of the newest account snapshot. */
  #account: UpdateId | undefined;
  readonly #echo: Echo;
  /**
   * True once the exchange has refused an order because it was marked reduce-only: later orders are sent without the mark, and only the guards ensure
   * that they reduce.
   */
  #reduceOnlyRefused = false;

  constructor(options: GatewayOptions) {
    const { clock, closing } = options;
    this.#options = options;
    this.#sender = new Sender({ clock, closing, answerTimeoutMs: ANSWER_TIMEOUT });
    this.#echo = new Echo(options.account);
    this.account = options.account;
    const seen = options.seen.pipe(
      tap((event) => {
        if (event.kind === 'accountSeen') this.#account = event.account.updateId;
      }),
    );
    this.events = this.#sender.events(options.session.events, seen);
  }

  /** Signs all actions and writes all of them ahead before any is sent. An AssertionError thrown here means that nothing was sent. */
  submit(actions: readonly Action[]): void {
    this.#sender.requireOpen();
    const items = actions.map((action) => this.#seal(action));
    const conditions = { permit: this.#writeAhead(items), asked: this.#options.clock.now() };
    this.#sender.send(items, { kindOf: ({ action }) => action.kind, deliver: (item) => this.#deliver(item, conditions) });
  }

  /** Stops sending, polling and opening sessions at once; answers that are still pending are dropped. */
  close(): Promise<void> {
    this.#options.session.close();
    return this.#sender.close();
  }

  #seal(action: Action): Sealed | Unsent {
    const { codec, clock, session, signer, nextNonce, sender } = this.#options;
    const now = clock.now();
    const timestamp = this.#timestampFor(action, now);
    const sessionId = action.kind === 'cancel' ? session.forCancels() : session.usable();
    if (timestamp === undefined) return { kind: 'unsent', action, reason: "the exchange's time was received too long ago" };
    if (sessionId === undefined) return { kind: 'unsent', action, reason: 'there is no session to sign with' };
    const terms = { timestamp, nonce: nextNonce(), sessionId };
    const extras = this.#reduceOnlyRefused ? { ...codec.extras, reduceOnly: false } : codec.extras;
    const wireAction = wireActionOf(action, { ...terms, sender, extras });
    return { kind: 'sealed', action, body: seal(wireAction, { codec, signer }), ...terms };
  }

  /** Only orders that can rest are back-dated. Undefined if the exchange's time is not known well enough. */
  #timestampFor(action: Action, now: Millis): number | undefined {
    const { time, backDating } = this.#options;
    if (action.kind === 'cancel') return time.forCancels(now);
    return canRest(action.fillMode) ? backDating.signable(now) : time.signable(now);
  }

  #writeAhead(items: readonly (Sealed | Unsent)[]): SendPermit {
    const { writeAhead, time, clock } = this.#options;
    const known = { heard: time.signable(clock.now()), account: this.#account };
    const sealed = items.filter((item) => item.kind === 'sealed');
    return writeAhead(
      sealed.map(({ action: { kind, clientOrderId }, timestamp, nonce, body }) => ({
        action: kind,
        clientOrderId,
        timestamp,
        ...known,
        nonce,
        body,
      })),
    );
  }

  /** Settles when the action is answered or timed out. A later answer is still emitted if it is definite. */
  async #deliver(sealed: Sealed | Unsent, conditions: SendConditions): Promise<void> {
    const { client, codec, clock, backDating } = this.#options;
    const sent = clock.now();
    const item = ifPermitted(sealed, conditions, sent);
    if (item.kind === 'unsent') {
      await Promise.resolve(); // nothing is emitted before `submit` has returned
      return this.#sender.report(notSent(item.action, { at: sent, reason: item.reason }));
    }
    let reported = false;
    const report = (answer: Reply): void => {
      const outcome = outcomeOf(item.action, answer, { at: clock.now(), timestamp: item.timestamp });
      if (!reported || isDefinite(outcome)) this.#sender.report(outcome);
      if (outcome.kind === 'orderUnknown') backDating.unanswered(clock.now()).catch((error: unknown) => this.#sender.fail(error));
      reported = true;
    };
    const reply = replyOf(client.action(item.body), codec);
    const answered = reply.then((answer) => {
      const own = this.#ownAnswer(item.action, answer);
      this.#applyReply(item, own, sent);
      report(own);
    });
    await this.#sender.waitForAnswer(answered, () => report({ kind: 'noAnswer', reason: noAnswerWithin(ANSWER_TIMEOUT) }));
  }

  /** Treats a receipt that belongs to another action as no answer, and resets all connections, because they are unreliable. */
  #ownAnswer(action: Action, reply: Reply): Reply {
    if (reply.kind !== 'receipt') return reply;
    const { client } = this.#options;
    const reason = this.#echo.mismatch(action, reply.receipt);
    if (reason !== undefined) client.reset(reason);
    else if (reply.receipt.kind === 'err') client.renew();
    return reason === undefined ? reply : { kind: 'noAnswer', reason };
  }

  #applyReply({ action, sessionId }: Sealed, reply: Reply, sent: Millis): void {
    if (reply.kind !== 'receipt') return;
    const { receipt } = reply;
    if (receipt.kind === 'err' && action.kind === 'place' && action.reduceOnly === true)
      this.#reduceOnlyRefused ||= REFUSE_REDUCE_ONLY.has(receipt.error);
    if (receipt.kind === 'err' && meaningOf(receipt.error) === 'session') this.#options.session.notFound(sessionId);
    if (receipt.kind === 'cancelOrder' && action.kind === 'cancel') this.#options.backDating.cancelled(action.orderId);
    if (receipt.kind === 'placeOrder' || receipt.kind === 'cancelOrder') this.#options.executedAfter(sent);
  }
}

function ifPermitted(item: Sealed | Unsent, conditions: SendConditions, now: Millis): Sealed | Unsent {
  if (item.kind === 'unsent') return item;
  const reason = whyNotSend(item.action, conditions, now);
  return reason === undefined ? item : { kind: 'unsent', action: item.action, reason };
}

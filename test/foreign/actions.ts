// POST /action: checks frame, signature, time and duplicates, executes the action and writes the receipt.
import type { Account, Order } from './accounts.ts';
import type { Settings } from './faults.ts';
import type { Ids } from './ids.ts';
import { hexText, isSignedBy } from './keys.ts';
import { LISTINGS } from './market.ts';
import type { MatchingEngine } from './matching-engine.ts';
import {
  ACTION,
  CANCEL_ORDER,
  CREATE_SESSION,
  type ErrorName,
  errorNameIn,
  FILL_MODES,
  type Numbering,
  PLACE_ORDER,
  SIDES,
} from './numbering.ts';
import { bytesOf, type Fields, integer, ProtobufError, readFields, unframe } from './protobuf.ts';
import { type Outcome, receiptOf } from './receipts.ts';
import { type Placed, Refused } from './trading.ts';
import type { Session, Users } from './users.ts';

/** One POST /action as far as it could be decoded, and its outcome. */
export interface LoggedAction {
  /** Engine milliseconds. */
  readonly at: number;
  readonly kind: 'createSession' | 'placeOrder' | 'cancelOrder' | 'unreadable';
  /** Decoded with the numbering of this exchange. */
  readonly fields: Readonly<Record<string, string | number | bigint | boolean | undefined>>;
  readonly signature: 'good' | 'bad' | 'unchecked';
  /** The account that the action concerned. */
  readonly account: number | undefined;
  readonly outcome: 'accepted' | ErrorName;
  readonly replyLost: boolean;
}

const SIGNATURE_BYTES = 64;
const WINDOW_SECONDS = 60;
/** The largest integer that a double holds exactly. */
const LARGEST_EXACT = BigInt(Number.MAX_SAFE_INTEGER);

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export class Actions {
  readonly log: LoggedAction[] = [];
  readonly #engine: MatchingEngine;
  readonly #users: Users;
  readonly #settings: Settings;
  readonly #dialect: { readonly numbering: Numbering; readonly extras: boolean; readonly bareResults: boolean };
  readonly #ids: Ids;
  readonly #engineMs: () => number;
  /** Bytes of received messages, with their timestamps. */
  readonly #seenMessages = new Map<string, number>();

  constructor(given: {
    engine: MatchingEngine;
    users: Users;
    settings: Settings;
    dialect: { numbering: Numbering; extras: boolean; bareResults: boolean };
    ids: Ids;
    engineMs: () => number;
  }) {
    this.#engine = given.engine;
    this.#users = given.users;
    this.#settings = given.settings;
    this.#dialect = given.dialect;
    this.#ids = given.ids;
    this.#engineMs = given.engineMs;
  }

  /** Forgets the messages received so far, so that they no longer count as duplicates. */
  forgetSeenMessages(): void {
    this.#seenMessages.clear();
  }

  /** Executes an action and returns the framed receipt; undefined if the settings lose the reply. */
  execute(body: Uint8Array): Uint8Array | undefined {
    const entry: Mutable<LoggedAction> = {
      at: this.#engineMs(),
      kind: 'unreadable',
      fields: {},
      signature: 'unchecked',
      account: undefined,
      outcome: 'accepted',
      replyLost: this.#settings.loseReplies > 0,
    };
    if (entry.replyLost) this.#settings.loseReplies--;
    const actionId = this.#ids.next();
    const outcome = this.#attempt(body, entry, actionId);
    if (outcome.kind === 'err') {
      this.#ids.giveBack();
      entry.outcome = errorNameIn(this.#dialect.numbering, outcome.error);
    }
    this.log.push(entry);
    return entry.replyLost ? undefined : receiptOf({ actionId, outcome, ...this.#dialect, echo: this.#settings.echoClientOrderId });
  }

  #attempt(body: Uint8Array, entry: Mutable<LoggedAction>, actionId: bigint): Outcome {
    try {
      const { payload, framed, rest } = unframe(body);
      const action = readFields(payload);
      if (rest.length !== SIGNATURE_BYTES) throw new Refused('DECODE_FAILURE');
      return this.#dispatch({ action, framed, signature: rest, entry, actionId });
    } catch (thrown) {
      if (thrown instanceof Refused) return { kind: 'err', error: thrown.error };
      if (thrown instanceof ProtobufError) return { kind: 'err', error: 'DECODE_FAILURE' };
      throw thrown;
    }
  }

  #dispatch(signed: SignedAction): Outcome {
    const { action, entry } = signed;
    const kinds = (['createSession', 'placeOrder', 'cancelOrder'] as const).filter((kind) => action.has(ACTION[kind]));
    const [kind] = kinds;
    if (kind === undefined || kinds.length > 1) throw new Refused('DECODE_FAILURE');
    const fields = readFields(bytesOf(action, ACTION[kind]) ?? new Uint8Array());
    entry.kind = kind;
    switch (kind) {
      case 'createSession':
        return this.#createSession(signed, fields);
      case 'placeOrder':
        return this.#placeOrder(signed, fields);
      case 'cancelOrder':
        return this.#cancelOrder(signed, fields);
    }
  }

  #createSession(signed: SignedAction, fields: Fields): Outcome {
    const userPubkey = bytesOf(fields, CREATE_SESSION.userPubkey);
    const sessionPubkey = bytesOf(fields, CREATE_SESSION.sessionPubkey);
    const expiry = Number(BigInt.asIntN(64, integer(fields, CREATE_SESSION.expiry) ?? 0n));
    signed.entry.fields = { expiry };
    if (userPubkey?.length !== 32 || sessionPubkey?.length !== 32) throw new Refused('DECODE_FAILURE');
    this.#check(signed, { publicKey: userPubkey, message: hexText(signed.framed) });
    const now = Math.floor(this.#engineMs() / 1_000);
    return { kind: 'session', session: this.#users.openSession({ userPubkey, sessionPubkey, expiry, now }) };
  }

  #placeOrder(signed: SignedAction, fields: Fields): Outcome {
    const numbers = PLACE_ORDER[this.#dialect.numbering];
    const read = (name: keyof typeof numbers): bigint => integer(fields, numbers[name]) ?? 0n;
    const clientOrderId = this.#dialect.extras ? integer(fields, numbers.clientOrderId) : undefined;
    const senderAccountId = this.#dialect.extras ? integer(fields, numbers.senderAccountId) : undefined;
    const [price, size, marketId, reduceOnly] = [read('price'), read('size'), Number(read('marketId')), read('reduceOnly') === 1n];
    const side = SIDES[Number(read('side'))];
    const fillMode = FILL_MODES[Number(read('fillMode'))];
    const sessionId = read('sessionId');
    signed.entry.fields = { sessionId, marketId, side, fillMode, price, size, reduceOnly, clientOrderId, senderAccountId };
    if (side === undefined || fillMode === undefined) throw new Refused('DECODE_FAILURE');
    const account = this.#actingAccount(signed, { session: this.#session(signed, sessionId), senderAccountId });
    const listing = LISTINGS[marketId];
    if (listing === undefined) throw new Refused('MARKET_NOT_FOUND');
    if (price > LARGEST_EXACT || size > LARGEST_EXACT) throw new Refused('ORDER_EXECUTION_SIZE_LIMIT');
    const request = { account, listing, side, fillMode, price: Number(price), size: Number(size), reduceOnly, clientOrderId };
    const placed: Placed = this.#engine.place(request, signed.actionId);
    return { kind: 'placed', placed, clientOrderId };
  }

  #cancelOrder(signed: SignedAction, fields: Fields): Outcome {
    const sessionId = integer(fields, CANCEL_ORDER.sessionId) ?? 0n;
    const orderId = integer(fields, CANCEL_ORDER.orderId) ?? 0n;
    const senderAccountId = this.#dialect.extras ? integer(fields, CANCEL_ORDER.senderAccountId) : undefined;
    signed.entry.fields = { sessionId, orderId, senderAccountId };
    const session = this.#session(signed, sessionId);
    const account = this.#actingAccount(signed, { session, senderAccountId });
    const order: Order | undefined = this.#engine.orders.get(orderId);
    const isTheirs = this.#dialect.extras
      ? order?.account === account
      : order !== undefined && session.user.accounts.includes(order.account);
    if (order === undefined || !isTheirs) throw new Refused('ORDER_NOT_FOUND');
    this.#engine.cancel(order, signed.actionId);
    return { kind: 'cancelled', order };
  }

  #session(signed: SignedAction, id: bigint): Session {
    const session = this.#users.session(id, Math.floor(this.#engineMs() / 1_000));
    this.#check(signed, { publicKey: session.publicKey, message: signed.framed });
    return session;
  }

  #actingAccount(
    { entry }: SignedAction,
    { session, senderAccountId }: { session: Session; senderAccountId: bigint | undefined },
  ): Account {
    const { accounts } = session.user;
    const account = senderAccountId === undefined ? accounts[0] : accounts.find(({ id }) => BigInt(id) === senderAccountId);
    if (account === undefined) throw new Refused('ACCOUNT_INVALID_OWNER');
    entry.account = account.id;
    return account;
  }

  /** Checks the signature, then the time window, then duplicates within the window. */
  #check({ action, framed, signature, entry }: SignedAction, { publicKey, message }: { publicKey: Uint8Array; message: Uint8Array }): void {
    entry.signature = isSignedBy({ publicKey, message, signature }) ? 'good' : 'bad';
    if (entry.signature === 'bad') throw new Refused('SIGNATURE_VERIFICATION');
    const now = Math.floor(this.#engineMs() / 1_000);
    const timestamp = Number(BigInt.asIntN(64, integer(action, ACTION.timestamp) ?? 0n));
    entry.fields = { ...entry.fields, timestamp, nonce: integer(action, ACTION.nonce) };
    if (Math.abs(timestamp - now) > WINDOW_SECONDS) throw new Refused('TIMESTAMP_OUT_OF_THRESHOLD');
    for (const [bytes, seenWith] of this.#seenMessages) if (seenWith < now - 2 * WINDOW_SECONDS) this.#seenMessages.delete(bytes);
    const bytes = Buffer.from(framed).toString('hex');
    if (this.#seenMessages.has(bytes)) throw new Refused('DUPLICATE');
    this.#seenMessages.set(bytes, timestamp);
  }
}

interface SignedAction {
  readonly action: Fields;
  readonly framed: Uint8Array;
  readonly signature: Uint8Array;
  readonly entry: Mutable<LoggedAction>;
  readonly actionId: bigint;
}

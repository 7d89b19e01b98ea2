// Sends an action of the hosted exchange by POST /action, decodes its receipt, and checks that the receipt belongs to the action.
import { AssertionError, messageOf } from '../../base/errors.ts';
import { ClientError, type ClientErrorKind } from '../../base/transport/client-error.ts';
import type { Action } from '../../bot/domain/action.ts';
import type { AccountId } from '../../bot/domain/ids.ts';
import { meaningOf } from '../../bot/exchange/error-meanings.ts';
import type { ActionCodec, Receipt } from '../wire/codec.ts';
import type { HostedClient } from './hosted.ts';
import { Echo } from './hosted-echo.ts';

/** Rejects with a ClientError `notSent`, or `noReply` for a lost or unreadable reply. Passes an AssertionError on. */
export async function receiptOf(bytes: Promise<Uint8Array>, codec: ActionCodec): Promise<Receipt> {
  try {
    return codec.decodeReceipt(await bytes);
  } catch (error) {
    if (error instanceof AssertionError) throw error;
    const notSent = error instanceof ClientError && error.kind === 'notSent';
    throw failure(notSent ? 'notSent' : 'noReply', messageOf(error));
  }
}

/** True if an error receipt does not prove that these bytes were not executed: a duplicate, lost inside the exchange, or an unknown error name. */
export const isInconclusive = (error: string): boolean =>
  meaningOf(error) === 'duplicate' || error === 'Dropped' || error.startsWith('UNKNOWN_');

export const failure = (kind: ClientErrorKind, reason: string): ClientError => new ClientError({ kind, message: reason, reason });

export interface ActionSenderOptions {
  readonly client: HostedClient;
  readonly codec: ActionCodec;
  /** The account that every action names or means. */
  readonly account: AccountId;
}

/** Sends signed actions of one account. */
export class ActionSender {
  readonly #options: ActionSenderOptions;
  readonly #echo: Echo;

  constructor(options: ActionSenderOptions) {
    this.#options = options;
    this.#echo = new Echo(options.account);
  }

  /**
   * Sends the signed bytes of an action once. Rejects as `receiptOf` does. A receipt that belongs to another action is no reply, and resets all connections,
   * because they are unreliable. An error has no fields to compare: later actions do not use the connection on which it came.
   */
  async send(action: Action, body: Uint8Array): Promise<Receipt> {
    const { client, codec } = this.#options;
    const bytes = client.action(body);
    const receipt = await receiptOf(bytes, codec);
    const reason = this.#echo.mismatch(action, receipt);
    if (reason !== undefined) {
      client.reset(reason);
      throw failure('noReply', reason);
    }
    if (receipt.kind === 'err') client.renew(await bytes);
    return receipt;
  }
}

// `POST /exchange`: who signed, whether the nonce and the time are right, and what the action does. Refusals are answered with status 200.
import { z } from 'zod';
import { type Json, jsonReply } from '../../../base/server/reply.ts';
import type { HttpReply } from '../../../base/transport/transport.ts';
import { maybe } from '../../../base/wire/shapes.ts';
import type { Micros } from '../../../bot/domain/numbers.ts';
import { action, type HyperliquidAction } from '../../../venues/wire/hyperliquid/actions.ts';
import { actionSigner, approvalDigest } from '../../../venues/wire/hyperliquid/sign.ts';
import { address } from '../../../venues/wire/hyperliquid/terms.ts';
import { signerOf } from '../../../venues/wire/hyperliquid/typed-data.ts';
import { QUOTE } from '../../exchange/state/listing.ts';
import type { HyperliquidContext } from './context.ts';
import { malformed } from './info.ts';
import { cancel, modify, placeOrder } from './orders.ts';

const time = z.number().int().min(0);
const envelope = {
  nonce: time,
  signature: z.object({ r: z.string(), s: z.string(), v: z.number().int() }),
  vaultAddress: maybe(address),
  expiresAfter: maybe(time),
};
const signedAction = z.object({ ...envelope, action });
const approval = z.object({
  ...envelope,
  action: z.object({
    type: z.literal('approveAgent'),
    signatureChainId: z.string(),
    hyperliquidChain: z.string(),
    agentAddress: address,
    agentName: maybe(z.string().max(40)),
    nonce: time,
  }),
});

export interface ActionOptions {
  /** Quote money that an address receives with its first action; with 0 an unknown address is refused. */
  readonly faucet: Micros;
  /** For simulations: returns the reason to refuse an action. Its nonce is used up before. */
  readonly refusal?: (() => string | undefined) | undefined;
}

/** An error of the whole action. */
const refusal = (response: string): HttpReply => jsonReply({ status: 'err', response });
const accepted = (response: Json): HttpReply => jsonReply({ status: 'ok', response });
const done = accepted({ type: 'default' });

export function actionReply(context: HyperliquidContext, body: unknown, options: ActionOptions): HttpReply {
  const approving = approval.safeParse(body);
  if (approving.success) return approveAgent(context, approving.data, options);
  const request = signedAction.safeParse(body);
  if (!request.success) throw malformed();
  const { signature, ...unsigned } = request.data;
  const signer = actionSigner(unsigned, { signature, network: 'testnet' });
  if (signer === undefined) return refusal('Invalid signature');
  const now = context.exchange.now();
  const master = context.signingRights.masterOf(signer, now);
  if (master === undefined || !openMissing(context, master, options)) return refusal(`User or API Wallet ${signer} does not exist.`);
  const wrongNonce = context.signingRights.take(signer, unsigned.nonce, now);
  if (wrongNonce !== undefined) return refusal(wrongNonce);
  if (unsigned.expiresAfter !== undefined && unsigned.expiresAfter < now) return refusal('Action already expired');
  if (unsigned.vaultAddress !== undefined) return refusal(`Vault not registered: ${unsigned.vaultAddress}`);
  const refused = options.refusal?.() ?? context.quota.take(master, unsigned.action);
  return refused === undefined ? perform(context, unsigned.action, master) : refusal(refused);
}

/** Opens the missing accounts of an address. Returns false if it has none and there is no faucet. */
function openMissing({ exchange, spots }: HyperliquidContext, address: string, { faucet }: ActionOptions): boolean {
  const before = exchange.accountsOf(address).length;
  if (before === 0 && faucet === 0) return false;
  if (before === 0) exchange.register(address, faucet);
  if (before > 1 || spots.length === 0) return true;
  const funds = { account: exchange.openAccount(address), token: QUOTE, amount: faucet };
  if (faucet > 0) exchange.wallets.endow(funds);
  if (faucet > 0) exchange.wallets.deposit(funds);
  return true;
}

function approveAgent(
  context: HyperliquidContext,
  { action: asked, signature, nonce }: z.output<typeof approval>,
  options: ActionOptions,
): HttpReply {
  const master = signerOf(approvalDigest(asked), signature);
  const now = context.exchange.now();
  if (asked.hyperliquidChain !== 'Testnet') return refusal('Mainnet and testnet require different signature.');
  if (master === undefined || nonce !== asked.nonce) return refusal('Invalid signature');
  if (!openMissing(context, master, options)) return refusal(`Must deposit before performing actions. User: ${master}`);
  const wrongNonce = context.signingRights.take(master, nonce, now);
  if (wrongNonce !== undefined) return refusal(wrongNonce);
  context.signingRights.approve(asked.agentAddress, { master, named: asked.agentName ?? '', now });
  return done;
}

function perform(context: HyperliquidContext, asked: HyperliquidAction, user: string): HttpReply {
  switch (asked.type) {
    case 'order':
      if (asked.orders.length === 0) return refusal('Orders are empty.');
      return statuses('order', asked.orders, (order) => placeOrder(context, user, order));
    case 'cancel':
      return statuses('cancel', asked.cancels, ({ a: asset, o: name }) => cancel(context, user, { asset, name }));
    case 'cancelByCloid':
      return statuses('cancel', asked.cancels, ({ asset, cloid: name }) => cancel(context, user, { asset, name }));
    case 'batchModify':
      return statuses('order', asked.modifies, (modification) => modify(context, user, modification));
    case 'scheduleCancel':
      return refusal('Cannot set scheduled cancel time until enough volume traded. Required: $1000000. Traded: $0.');
    case 'updateLeverage':
      return refusal('the embedded exchange has no settings of leverage');
    case 'noop':
      return done;
  }
}

const statuses = <T>(type: 'order' | 'cancel', rows: readonly T[], statusOf: (row: T) => Json): HttpReply =>
  accepted({ type, data: { statuses: rows.map(statusOf) } });

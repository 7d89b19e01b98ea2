// Opens the account that a played run begins with: the first account that the recorded process received.
import type { Account } from '../../bot/domain/account.ts';
import type { AccountId } from '../../bot/domain/ids.ts';
import type { MarketSpec } from '../../bot/domain/market.ts';
import { lots, micros } from '../../bot/domain/numbers.ts';
import type { RecordingHeader } from '../../bot/run/state/turn-recording.ts';
import type { Exchange } from '../../embedded/exchange/exchange.ts';

/** Opens an account with the same quote money, base tokens and positions, and returns its id. Funding that was not settled yet counts as settled. */
export function openAccount(exchange: Exchange, { balances, positions }: Account, specs: readonly MarketSpec[]): AccountId {
  const held = (token: number): number => balances.find(({ tokenId }) => tokenId === token)?.amount ?? 0;
  const unsettled = positions.reduce((sum, { fundingPaymentPnl }) => sum + fundingPaymentPnl, 0);
  const account = exchange.register('run', micros(Math.round(held(specs[0]?.quoteTokenId ?? 0) * 1e6) + unsettled));
  for (const market of exchange.markets) {
    const { id, spec } = market;
    const amount = spec.kind === 'spot' ? market.wholeLots(held(specs[id]!.baseTokenId)) : 0;
    if (amount > 0) {
      exchange.wallets.endow({ account, token: spec.baseTokenId, amount });
      exchange.wallets.deposit({ account, token: spec.baseTokenId, amount });
    }
    const { size = lots(0), entry } = positions.find((position) => position.market === id) ?? {};
    if (size !== 0 && entry !== undefined) exchange.hold(account, id, { size, cost: micros(Math.round(market.size(size) * entry * 1e6)) });
  }
  return account;
}

/** Why a process cannot be compared; undefined if it can. */
export function whyIncomparable({ history }: RecordingHeader, start: Account | undefined): string | undefined {
  if (start === undefined) return 'never received its account';
  if (history.orders.length > 0) return 'began with orders of the process before it, which did not end cleanly';
  const isHeld = start.positions.some(({ size, entry }) => size !== 0 && entry === undefined);
  return isHeld ? 'began with a position whose entry price is not known' : undefined;
}

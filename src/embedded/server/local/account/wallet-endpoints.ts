// The endpoints of the local API for money: coins, balances, and transfers between the margin account and the wallet.

import { badRequest, type Json } from '../../../../base/server/reply.ts';
import { type Route, route } from '../../../../base/server/routing.ts';
import { timeText } from '../../../../base/text/duration.ts';
import type { HttpReply } from '../../../../base/transport/transport.ts';
import type { TransferOutcome } from '../../../exchange/commands.ts';
import type { FundsMove } from '../../../exchange/history/statement.ts';
import type { Funds } from '../../../exchange/rules/wallets.ts';
import { requireKnown } from '../../reply-values.ts';
import { bodyOf, positive, text } from '../bodies.ts';
import { type LocalApiContext, stateOf } from '../context.ts';
import { amountOf, pageNumberOf, textOf } from '../parameters.ts';
import { pageOf, requireAccepted, resultReply, txIdOf } from '../reply.ts';
import { amountIn, type Coin, coinsFrom, coinsOf, findCoin } from './coins.ts';

export function walletEndpoints(context: LocalApiContext): readonly Route[] {
  const { exchange, account } = context;
  const coins = coinsOf(exchange);

  const move = (transfer: (funds: Funds) => TransferOutcome, { coin: symbol, size }: { coin: string; size: number }): HttpReply => {
    const coin = findCoin(coins, symbol);
    const { actionId } = requireAccepted(transfer({ account, token: coin.token.tokenId, amount: amountIn(coin, size) }));
    return resultReply({ coin: symbol, status: 'processed', time: timeText(exchange.now()), txId: txIdOf(actionId) });
  };
  /** Serves GET, as in the API document, and POST, as in the real process. */
  const getAndPost = (path: string, transfer: (funds: Funds) => TransferOutcome): readonly Route[] => [
    route({
      path,
      query: { coin: textOf, size: amountOf },
      answer: ({ query: { coin, size } }) => {
        if (coin === undefined || size === undefined) throw badRequest('coin and size are needed');
        return move(transfer, { coin, size });
      },
    }),
    route({ method: 'POST', path, answer: ({ request }) => move(transfer, bodyOf(request, { coin: text, size: positive })) }),
  ];

  return [
    route({ path: '/wallet/coins', answer: () => resultReply(coins.map(coinReply)) }),
    route({ path: '/wallet/balances', answer: () => resultReply(coins.map((coin) => balanceReply(context, coin))) }),
    route({
      path: '/wallet/transfers',
      query: { page: pageNumberOf },
      answer: ({ query }) => resultReply(pageOf(exchange.wallets.moves(account), query).map((moved) => transferReply(coins, moved))),
    }),
    ...getAndPost('/wallet/deposits', (funds) => exchange.wallets.deposit(funds)),
    ...getAndPost('/wallet/withdrawals', (funds) => exchange.wallets.withdraw(funds)),
  ];
}

const coinReply = ({ token, canBeOwned }: Coin): Json => ({
  id: token.symbol,
  mint: token.mintAddr,
  canDeposit: canBeOwned,
  canWithdraw: canBeOwned,
  canConvert: false,
  collateral: canBeOwned,
  collateralWeight: token.weightBps / 10_000,
});

/**
 * Returns a balance of the margin account. The exchange does not lend: `spotBorrow` is a loss that the quote balance did not cover, and `free` is
 * available without borrowing.
 */
function balanceReply(context: LocalApiContext, coin: Coin): Json {
  const { token, spot, canBeOwned } = coin;
  const total = stateOf(context).balances.find(({ tokenId }) => tokenId === token.tokenId)?.amount ?? 0;
  const price = spot === undefined ? 1 : spot.price(requireKnown(context.exchange.live(spot.id)?.index));
  const free = canBeOwned ? coinsFrom(coin, context.exchange.wallets.withdrawable(context.account, token.tokenId)) : 0;
  return { coin: token.symbol, free, spotBorrow: Math.max(0, -total), total, usdValue: total * price, availableWithoutBorrow: free };
}

const transferReply = (coins: readonly Coin[], { kind, token, amount, time }: FundsMove): Json => {
  const coin = requireKnown(coins[token]);
  return { coin: coin.token.symbol, size: coinsFrom(coin, amount), type: kind, status: 'confirmed', time: timeText(time) };
};

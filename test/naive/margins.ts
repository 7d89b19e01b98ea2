// A reference implementation of margins in big integers, computed only from the public state of an account and its markets.
import type { Margins } from '../../src/bot/domain/account.ts';
import type { Market } from '../../src/bot/domain/market.ts';
import type { ListedToken } from '../../src/embedded/exchange/state/listing.ts';
import type { ShownAccountState } from '../../src/embedded/exchange/views.ts';

export interface NaiveWorld {
  readonly markets: readonly Market[];
  readonly tokens: readonly ListedToken[];
  /** Index prices in ticks, by market id. */
  readonly indexes: readonly number[];
}

const max = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const min = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const abs = (a: bigint): bigint => max(a, -a);
const ceilDiv = (a: bigint, b: bigint): bigint => (a + b - 1n) / b;
const tenTo = (power: number): bigint => 10n ** BigInt(power);

/** Returns the margins in millionths of the quote token. */
export function naiveMargins(account: ShownAccountState, world: NaiveWorld): Margins {
  let [imf, cmf, mmf, pon, pn, trading, funding] = [0n, 0n, 0n, 0n, 0n, 0n, 0n];
  for (const { spec } of world.markets) {
    if (spec.kind === 'spot') continue;
    const held = account.positions.find(({ market }) => market === spec.id);
    const open = (side: 'bid' | 'ask'): bigint =>
      account.orders.filter((order) => order.market === spec.id && order.side === side).reduce((sum, { size }) => sum + BigInt(size), 0n);
    const size = BigInt(held?.size ?? 0);
    const lotValue = BigInt(world.indexes[spec.id]!) * tenTo(6 - spec.priceDecimals - spec.sizeDecimals);
    const withOrders = max(abs(size + open('bid')), abs(size - open('ask'))) * lotValue;
    const alone = abs(size) * lotValue;
    pon += withOrders;
    pn += alone;
    imf += share(withOrders, spec.imf);
    cmf += share(withOrders, spec.cmf!);
    mmf += share(alone, spec.mmf);
    trading += size * lotValue - BigInt(held?.cost ?? 0);
    funding += BigInt(held?.fundingPaymentPnl ?? 0);
  }
  const collateral = collateralOf(account, world);
  const mf = collateral + trading + funding;
  const numbers = { omf: min(mf, collateral + funding), mf, imf, cmf, mmf, pon, pn };
  const rounded = Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, Number(value)]));
  return { ...rounded, bankruptcy: mf < 0n } as unknown as Margins;
}

const share = (notional: bigint, fraction: number): bigint => ceilDiv(notional * BigInt(Math.round(fraction * 1e6)), 1_000_000n);

function collateralOf(account: ShownAccountState, { markets, tokens, indexes }: NaiveWorld): bigint {
  let collateral = 0n;
  for (const { tokenId, amount } of account.balances) {
    const spot = markets.find(({ spec }) => spec.kind === 'spot' && spec.baseTokenId === tokenId)?.spec;
    if (spot === undefined) collateral += BigInt(Math.round(amount * 1e6));
    else {
      const baseLots = BigInt(Math.round(amount * 10 ** spot.sizeDecimals));
      const value = baseLots * BigInt(indexes[spot.id]!) * tenTo(6 - spot.priceDecimals - spot.sizeDecimals);
      collateral += (value * BigInt(tokens[tokenId]!.weightBps)) / 10_000n;
    }
  }
  return collateral;
}

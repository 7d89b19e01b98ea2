// Converts the process's margin fractions into the amounts of money that the guards compare. docs/local.md has the formulas and their sources.
import type { MarginsWithCancel } from '../../bot/domain/margin.ts';
import type { MarketSpec } from '../../bot/domain/market.ts';
import { inMicros } from '../shared/convert.ts';
import type { LocalAccount, LocalPosition } from '../wire/json/local.ts';

/** The initial margin fraction if the process reports none. */
const CONSERVATIVE_IMF = 0.1;

/**
 * Returns the margin fractions of a market: those of our position in it, else of the account as a whole, else from the account's highest leverage,
 * else conservative ones. cmf, which the process never shows, is midway between the two.
 */
export function fractionsOf(
  future: string,
  { account, positions }: { account: LocalAccount; positions: readonly LocalPosition[] },
): Pick<MarketSpec, 'imf' | 'cmf' | 'mmf'> {
  const ours = positions.find((position) => position.future === future);
  const fromLeverage = account.leverage !== undefined && account.leverage >= 1 ? 1 / account.leverage : undefined;
  const imf = positive(ours?.initialMarginRequirement) ?? positive(account.initialMarginRequirement) ?? fromLeverage ?? CONSERVATIVE_IMF;
  const stated = positive(ours?.maintenanceMarginRequirement) ?? positive(account.maintenanceMarginRequirement);
  const mmf = Math.min(imf, stated ?? imf / 2);
  return { imf, cmf: (imf + mmf) / 2, mmf };
}

/** Throws if an amount is too large to be counted. */
export function marginsOf(account: LocalAccount, positions: readonly LocalPosition[]): MarginsWithCancel {
  const { freeCollateral, openMarginFraction, totalAccountValue: mf, totalPositionSize: pn } = account;
  const imFraction = account.initialMarginRequirement ?? CONSERVATIVE_IMF;
  const mmFraction = positive(account.maintenanceMarginRequirement) ?? imFraction / 2;
  const pon = openNotional(account, positions);
  const imf = imFraction * pon;
  const omf = openMarginFraction === undefined || pon === 0 ? freeCollateral + imf : openMarginFraction * pon;
  const cmf = (pon * (imFraction + mmFraction)) / 2;
  return { ...inMicros({ omf, mf, imf, cmf, mmf: pn * mmFraction, pon, pn }), bankruptcy: mf < 0 };
}

/**
 * Returns the notional value of positions and open orders. While there is free collateral, it follows from `freeCollateral = (openMarginFraction −
 * initialMarginRequirement) × notional`. Otherwise the collateral used by the positions and their orders gives an upper bound; nothing can be opened in
 * that state anyway.
 */
function openNotional(
  { freeCollateral, openMarginFraction, totalPositionSize, ...account }: LocalAccount,
  positions: readonly LocalPosition[],
): number {
  const required = positive(account.initialMarginRequirement);
  if (required === undefined) return totalPositionSize;
  const derived = openMarginFraction === undefined ? 0 : freeCollateral / (openMarginFraction - required);
  if (derived > 0 && Number.isFinite(derived)) return derived;
  const ordered = positions.map(
    ({ collateralUsed = 0, initialMarginRequirement }) => collateralUsed / (positive(initialMarginRequirement) ?? required),
  );
  return ordered.reduce((sum, notional) => sum + notional, totalPositionSize);
}

const positive = (fraction: number | undefined): number | undefined => (fraction !== undefined && fraction > 0 ? fraction : undefined);

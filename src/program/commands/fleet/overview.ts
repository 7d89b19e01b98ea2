// The overview on the page of a fleet: sums of all runs, and the used part of each limit.

import { moneyText } from '../../../bot/accounting/lines.ts';
import type { Mode } from '../../../bot/domain/mode.ts';
import { micros } from '../../../bot/domain/numbers.ts';
import type { FleetFile } from '../../fleet/file.ts';
import type { FleetLimit } from '../../fleet/limits.ts';
import type { PageFleet } from '../../monitoring/page/contract.ts';
import type { LimitEnforcer } from './limit-enforcer.ts';

/** Returns the sums of the fleet with its limits; undefined until the sums are known. */
export function overviewOf(
  { name, limits }: Pick<FleetFile, 'name' | 'limits'>,
  enforcer: Pick<LimitEnforcer, 'sums' | 'acted'> | undefined,
): PageFleet | undefined {
  if (enforcer === undefined) return undefined;
  const { sums, acted } = enforcer;
  const { 'gross-notional': gross, 'daily-loss': loss, drawdown: fall } = limits;
  const row = (limit: FleetLimit, used: number, most: number | undefined, mode: Mode | undefined) =>
    most === undefined || mode === undefined
      ? []
      : [{ limit, used: text(Math.max(0, used)), most: String(most), mode, acted: acted.includes(limit) }];
  return {
    fleet: name,
    pnl: text(sums.pnl),
    today: text(sums.today),
    gross: text(sums.gross),
    limits: [
      ...row('gross-notional', sums.gross, gross?.maxNotional, gross?.mode),
      ...row('daily-loss', -sums.today, loss?.maxLoss, loss?.mode),
      ...row('drawdown', sums.drawdown, fall?.maxLoss, fall?.mode),
    ],
  };
}

const text = (amount: number): string => moneyText(micros(amount));

// Finds whether a recorded market is a spot market or a perpetual: from the user, the data, or a name.
import { basename } from 'node:path';
import { UserError } from '../../../base/errors.ts';
import type { MarketKind } from '../../../bot/domain/market.ts';
import type { Survey } from '../checks/survey.ts';
import { kindInName } from '../formats/candles/market-name.ts';

export interface KnownKind {
  readonly kind: MarketKind;
  /** How it is known, as text. */
  readonly because: string;
}

/**
 * Returns the kind. What the user says counts first, then the data, then the name of the market, the recording's own name of it and the names of the
 * files. If none of them says it, the market is assumed to be a perpetual. Throws a `UserError` if the user says spot of a market with funding.
 */
export function marketKindOf(found: Survey, market: string, asked: MarketKind | undefined): KnownKind {
  if (asked === 'spot' && found.kind?.kind === 'perp')
    throw new UserError({
      code: 'import',
      message: `--spot: the market is a perpetual: ${found.kind.because}`,
      hint: 'leave --spot out, or give the files of the spot market',
    });
  if (asked !== undefined) return { kind: asked, because: `as --${asked} says` };
  if (found.kind !== undefined) return found.kind;
  const names = [market, found.symbol ?? '', ...found.files.map(({ input }) => basename(input.file))];
  for (const name of names) {
    const kind = kindInName(name);
    if (kind !== undefined) return { kind, because: `inferred from the name ${name}; ${otherOption(kind)}` };
  }
  return { kind: 'perp', because: `assumed, because no name says it; ${otherOption('perp')}` };
}

const otherOption = (kind: MarketKind): string =>
  kind === 'spot' ? '--perp imports it as a perpetual' : '--spot imports it as a spot market';

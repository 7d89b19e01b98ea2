// What stands where a tape is to go: a tape that can be made again gives way to the new one, and nothing else does.
import { existsSync } from 'node:fs';
import { messageOf, UserError } from '../base/errors.ts';
import type { TapeHeader } from './header.ts';
import { openSource, tapeError } from './source.ts';

/** From a seed or from files, at any time; what a recorder's polls saw, whose command the header keeps, is seen once. */
export const canBeMadeAgain = ({ books, made }: TapeHeader): boolean => books !== 'polled' || made?.command === undefined;

/** A UserError where something stands there that does not give way. */
export async function checkGivesWay(path: string, givesWay: (old: TapeHeader) => boolean): Promise<void> {
  if (!existsSync(path)) return;
  try {
    const { handle, header } = await openSource(path, 'r');
    await handle.close();
    if (!givesWay(header)) throw tapeError(path, `is a tape of ${header.market.symbol}, from ${header.source}, and is not replaced`);
  } catch (error) {
    throw new UserError({ code: 'tape', message: messageOf(error), hint: 'choose another --out, or remove it' });
  }
}

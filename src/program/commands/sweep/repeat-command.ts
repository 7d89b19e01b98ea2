// Returns the command line that repeats one row of a sweep.
import { PROGRAM } from '../../../base/package.ts';
import { timeText } from '../../../base/text/duration.ts';
import { moneyText } from '../../../bot/accounting/lines.ts';
import { micros } from '../../../bot/domain/numbers.ts';
import { commandText, type OptionValue } from '../../command-text.ts';
import { PRESETS } from '../backtest/command.ts';
import type { JobFlags } from './plan.ts';

const PPM_PER_BASIS_POINT = 100;

const timeOf = (time: number | undefined): string | undefined => (time === undefined ? undefined : timeText(time));

/** Returns the command. `program`: how the program is started. An option with its default is left out. */
export function commandOf({ deposit, fees, from, to, ...flags }: JobFlags, program: string = PROGRAM): string {
  const { strategy, tape, input, latency, poll, queue, config, set, seed } = flags;
  const options: Readonly<Record<keyof JobFlags, OptionValue>> = {
    strategy,
    tape,
    input,
    latency: latency === PRESETS.latency ? undefined : latency,
    poll,
    queue,
    deposit: deposit === undefined ? undefined : moneyText(micros(deposit)),
    fees: fees && `${fees.makerPpm / PPM_PER_BASIS_POINT},${fees.takerPpm / PPM_PER_BASIS_POINT}`,
    config,
    set,
    from: timeOf(from),
    to: timeOf(to),
    seed: seed === PRESETS.seed ? undefined : seed,
  };
  return commandText(program, ['backtest'], options);
}

// All commands, in the order of `--help`: how each is declared, and what it runs.

import { BACKTEST } from './commands/backtest/command.ts';
import { CALIBRATE } from './commands/calibrate/command.ts';
import { CHECK } from './commands/check/command.ts';
import { COMPARE } from './commands/compare/command.ts';
import { doctorCommand } from './commands/doctor/command.ts';
import { DOWNLOAD } from './commands/download/command.ts';
import { EXCHANGE } from './commands/exchange/command.ts';
import { EXPORT } from './commands/export/command.ts';
import { FLEET } from './commands/fleet/command.ts';
import { KEYS_ENCRYPT, KEYS_NEW, KEYS_SHOW } from './commands/keys/command.ts';
import { NEW } from './commands/new/command.ts';
import { NOTIFY_TEST } from './commands/notify/command.ts';
import { CLEAN, FLATTEN, killCommand, LOGS, RESUME, STATUS, WATCHDOG, WHY, WHY_NOT } from './commands/operate/command.ts';
import { PARITY } from './commands/parity/command.ts';
import { REPLAY } from './commands/replay/command.ts';
import { runCommand } from './commands/run/command.ts';
import { SCHEMA_VERBS, schemaCommand } from './commands/schema/command.ts';
import { checkedFlags, SWEEP, WORKER } from './commands/sweep/command.ts';
import { IMPORT, RECORD, TAPE_CAT, TAPE_FACTS, TAPE_INFO, TAPE_SLICE } from './commands/tapes/command.ts';
import { TORTURE } from './commands/torture/command.ts';
import { UI, UI_LINK } from './commands/ui/command.ts';
import { lookCommand, moveCommand } from './commands/wallet/command.ts';
import { type AddCommand, addGroup, command, commandNames, longOf } from './declared.ts';
import { resolveStrategy } from './resolve-strategy.ts';

export const COMMANDS: readonly AddCommand[] = [
  command(runCommand, async (program) => {
    const { run } = await import('./commands/run/run.ts');
    return (name, more, flags, host) => {
      const options = (runCommand(host).options ?? []).map(longOf);
      const strategy = resolveStrategy({ name, more, flag: flags.strategy, env: host.env }, { commands: commandNames(program), options });
      return run({ ...flags, strategy }, host);
    };
  }),
  command(FLEET, async () => (await import('./commands/fleet/fleet.ts')).fleet),
  command(BACKTEST, async () => (await import('./commands/backtest/backtest.ts')).backtest),
  command(SWEEP, async () => {
    const { sweep } = await import('./commands/sweep/sweep.ts');
    return (flags, host) => sweep(checkedFlags(flags), host);
  }, [
    command(WORKER, async () => {
      const { worker } = await import('./commands/sweep/worker.ts');
      return (flags, host) => worker(checkedFlags(flags), host);
    }),
  ]),
  command(REPLAY, async () => (await import('./commands/replay/replay.ts')).replay),
  command(COMPARE, async () => (await import('./commands/compare/compare.ts')).compare),
  command(PARITY, async () => (await import('./commands/parity/parity.ts')).parity),
  command(DOWNLOAD, async () => (await import('./commands/download/download.ts')).downloadHistory),
  command(RECORD, async () => (await import('./commands/tapes/record.ts')).record),
  command(IMPORT, async () => (await import('./commands/tapes/import.ts')).importFiles),
  addGroup('tape', 'show the contents of a tape, write a part of it, or print its rows', [
    command(TAPE_INFO, async () => (await import('./commands/tapes/tape.ts')).tapeInfo),
    command(TAPE_FACTS, async () => (await import('./commands/tapes/facts.ts')).tapeFacts),
    command(TAPE_SLICE, async () => (await import('./commands/tapes/tape.ts')).tapeSlice),
    command(TAPE_CAT, async () => (await import('./commands/tapes/tape.ts')).tapeCat),
  ]),
  command(CALIBRATE, async () => (await import('./commands/calibrate/calibrate.ts')).calibrate),
  command(EXPORT, async () => (await import('./commands/export/export.ts')).exportResults),
  command(EXCHANGE, async () => (await import('./commands/exchange/exchange.ts')).exchange),
  command(NEW, async () => (await import('./commands/new/new.ts')).newProject),
  command(CHECK, async () => async (strategy, { exchange, ...flags }, host) => {
    if (exchange === undefined) return (await import('./commands/check/check.ts')).check(strategy, flags, host);
    return (await import('./commands/check/adapter.ts')).checkAdapter({ strategy, ...flags, exchange }, host);
  }),
  command(killCommand, async () => (await import('./commands/operate/kill.ts')).kill),
  command(FLATTEN, async () => (await import('./commands/operate/flatten.ts')).flatten),
  command(RESUME, async () => (await import('./commands/operate/resume.ts')).resume),
  command(WATCHDOG, async () => (await import('./commands/operate/watchdog.ts')).watchdog),
  command(CLEAN, async () => (await import('./commands/operate/clean.ts')).clean),
  command(STATUS, async () => (await import('./commands/operate/status.ts')).status),
  command(LOGS, async () => (await import('./commands/operate/logs.ts')).logs),
  command(WHY, async () => (await import('./commands/operate/why.ts')).why),
  command(WHY_NOT, async () => (await import('./commands/operate/why.ts')).whyNot),
  command(UI, async () => (await import('./commands/ui/ui.ts')).ui, [
    command(UI_LINK, async () => (await import('./commands/ui/link.ts')).link),
  ]),
  command(doctorCommand, async () => (await import('./commands/doctor/doctor.ts')).doctor),
  command(TORTURE, async () => (await import('./commands/torture/torture.ts')).torture),
  addGroup(
    'schema',
    'show, compare or approve the action schema of an exchange',
    SCHEMA_VERBS.map((verb) => command(schemaCommand(verb), async () => (await import('./commands/schema/schema.ts'))[verb])),
  ),
  addGroup('notify', 'test where a run sends its alerts', [
    command(NOTIFY_TEST, async () => (await import('./commands/notify/test.ts')).testNotify),
  ]),
  addGroup('keys', 'make a key file, show its public key, or encrypt it', [
    command(KEYS_NEW, async () => (await import('./commands/keys/keys.ts')).newKey),
    command(KEYS_SHOW, async () => (await import('./commands/keys/keys.ts')).showKey),
    command(KEYS_ENCRYPT, async () => (await import('./commands/keys/keys.ts')).encryptKey),
  ]),
  addGroup('wallet', 'show or move the funds of the local signing process', [
    ...(['deposit', 'withdraw'] as const).map((verb) =>
      command(moveCommand(verb), async () => {
        const { move } = await import('./commands/wallet/wallet.ts');
        return (coin, amount, { url }, host) => move({ verb, coin, amount, url }, host);
      }),
    ),
    ...(['balances', 'transfers'] as const).map((verb) =>
      command(lookCommand(verb), async () => (await import('./commands/wallet/wallet.ts'))[verb]),
    ),
  ]),
];

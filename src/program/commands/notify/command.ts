// The subcommands of `bot notify`.
import type { Command } from 'commander';
import { addGroup } from '../../command-groups.ts';
import type { SetExitCode } from '../../exit-codes.ts';
import type { Host } from '../../host.ts';
import { collect } from '../../values.ts';
import type { NotifyFlags } from './test.ts';

export function addNotify(program: Command, host: Host, setExitCode: SetExitCode): void {
  addGroup(program, { name: 'notify', about: 'test where a run sends its alerts' })
    .command('test')
    .description('send a test message to each target, and print which of them accepted it')
    .option('--notify <url...>', NOTIFY_ABOUT, collect)
    .option('--config <file>', 'the targets of this configuration (notify.to)')
    .option('--json', 'one JSON object per line')
    .addHelpText('after', NOTES)
    .action((flags: NotifyFlags) => setExitCode(import('./test.ts').then(({ testNotify }) => testNotify(flags, host))));
}

/** The help text of the option `--notify`, which `bot run` has too. */
export const NOTIFY_ABOUT =
  'send alerts to tgram://…, discord://…, slack://…, ntfy://… or a webhook https://…; @FILE is a file with one URL per line';

const NOTES = `
tgram://BOT_TOKEN/CHAT_ID, discord://WEBHOOK_ID/WEBHOOK_TOKEN, slack://A/B/C, ntfy://TOPIC, ntfy://HOST/TOPIC, https://… for a webhook.
These URLs hold secrets, and other users of the machine can see the command line: write them to a file of mode 0600 and give --notify @FILE.
Exit codes: 0 each target took the message, 1 not all did, 2 the input is wrong.`;

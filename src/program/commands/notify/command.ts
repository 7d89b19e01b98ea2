// The subcommands of `bot notify`.
import { JSON_LINES, SETTINGS } from '../../common-options.ts';
import { defineCommand, type FlagsOf, option } from '../../declared.ts';

const NOTES = `
tgram://BOT_TOKEN/CHAT_ID, discord://WEBHOOK_ID/WEBHOOK_TOKEN, slack://A/B/C, ntfy://TOPIC, ntfy://HOST/TOPIC, https://… for a webhook.
These URLs hold secrets, and other users of the machine can see the command line: write them to a file of mode 0600 and give --notify @FILE.
Exit codes: 0 each target took the message, 1 not all did, 2 the input is wrong.`;

export const NOTIFY_TEST = defineCommand({
  name: 'test',
  about: 'send a test message to each target, and print which of them accepted it',
  options: [SETTINGS.notify, option('--config <file>', 'the targets of this configuration (notify.to)'), JSON_LINES],
  notes: NOTES,
});
export type NotifyFlags = FlagsOf<typeof NOTIFY_TEST>;

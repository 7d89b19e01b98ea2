// The subcommands of `bot schema`.
import type { Command } from 'commander';
import { addGroup } from '../../command-groups.ts';
import type { SetExitCode } from '../../exit-codes.ts';
import type { Host } from '../../host.ts';

export function addSchema(program: Command, host: Host, setExitCode: SetExitCode): void {
  const schema = addGroup(program, { name: 'schema', about: 'show, compare or approve the action schema of an exchange' });
  const verbs = {
    show: "print the text and hash of the exchange's schema",
    diff: "compare the exchange's schema with the bundled one and with the one that you approved",
    approve: "approve the exchange's present schema, so that --schema remote uses it",
  } as const;
  for (const verb of ['show', 'diff', 'approve'] as const) {
    schema
      .command(verb)
      .description(verbs[verb])
      .requiredOption('--url <url>', 'address of the exchange')
      .action(({ url }: { url: string }) => setExitCode(import('./schema.ts').then((commands) => commands[verb](url, host))));
  }
}

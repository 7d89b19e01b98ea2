// The command line of `bot new`.
import type { Command } from 'commander';
import type { SetExitCode } from '../../exit-codes.ts';
import type { Host } from '../../host.ts';

export function addNew(program: Command, host: Host, setExitCode: SetExitCode): void {
  program
    .command('new')
    .description('create a project with a strategy, its configuration and its test, ready to run')
    .argument('<name>', 'the folder to create; its name becomes the name of the project, and of the strategy or the exchange')
    .option(
      '--venue',
      'with the adapter of an exchange instead of a strategy: an example that passes bot check --exchange, and a fake of its exchange',
    )
    .action((name: string, flags: { venue?: true }) =>
      setExitCode(import('./new.ts').then(({ newProject }) => newProject(name, flags, host))),
    );
}

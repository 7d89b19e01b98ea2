// The command line of `bot new`.
import { argument, defineCommand, option } from '../../declared.ts';

export const NEW = defineCommand({
  name: 'new',
  about: 'create a project with a strategy, its configuration and its test, ready to run',
  args: [argument('<name>', 'the folder to create; its name becomes the name of the project, and of the strategy or the exchange')],
  options: [
    option(
      '--venue',
      'with the adapter of an exchange instead of a strategy: an example that passes bot check --exchange, and a fake of its exchange',
    ),
  ],
});

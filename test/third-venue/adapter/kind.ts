// Registry entry of the third exchange: `--exchange third --url URL --key FILE --live`. The key file holds the name and the secret of the API key,
// separated by a space.
import { UserError } from '../../../src/base/errors.ts';
import { readPrivate } from '../../../src/run/keys/private-file.ts';
import { clientKind } from '../../../src/run/venues/client-kind.ts';
import { THIRD_CODE } from './open.ts';
import type { ThirdKey } from './requests.ts';

const HINT = 'write the name of your key and its secret into it, in one line';

/** Throws a UserError if the file cannot be read, or can be read by others. */
function keyIn(file: string): ThirdKey {
  const text = new TextDecoder().decode(readPrivate(file, { what: 'key file', hint: HINT }));
  const [name, secret] = text.trim().split(' ');
  if (name === undefined || secret === undefined) throw new UserError({ code: 'key', message: `${file} holds no key`, hint: HINT });
  return { name, secret };
}

export const THIRD = clientKind<ThirdKey>({
  name: 'third',
  about: 'an exchange of another make',
  exampleUrl: 'https://third.example',
  who: 'the third exchange',
  hint: 'its key names the account',
  keyFile: { hint: 'write the key of your account into a file', read: keyIn, textOf: ({ name }) => `names the account ${name}` },
  code: async () => THIRD_CODE,
});

import { createRequire } from 'node:module';

// installed loads a module of a package that the lock file of the tests installs.
export const installed = createRequire(new URL('../../npm/package.json', import.meta.url));

import { prepareDist } from './prepare-dist.js';

// The second step of `npm run build`.
await prepareDist();

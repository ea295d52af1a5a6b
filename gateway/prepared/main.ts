import { bundleApp } from '../web/build/bundle-app.js';
import { prepareDist } from './prepare-dist.js';

// The second step of `npm run build`.
await prepareDist();
await bundleApp();

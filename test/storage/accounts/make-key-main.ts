import { openSecretBox } from '../../../storage/accounts/open-secret-box.js';

const [, , DATA_DIR] = process.argv;
const box = await openSecretBox({ SECRETS_KEY: '', DATA_DIR });
console.log(box.seal('', '').keyId);

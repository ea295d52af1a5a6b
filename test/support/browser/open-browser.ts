import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The path of an installed Chromium, or null. CHROMIUM names another. */
function chromiumPath(): string | null {
  const { CHROMIUM, PATH = '' } = process.env;
  const places = PATH.split(':').flatMap((folder) => names.map((name) => join(folder, name)));
  return [CHROMIUM ?? '', ...places].find((path) => path !== '' && existsSync(path)) ?? null;
}

/** A headless browser. Where none is installed, says so in one line and answers null. */
export async function openBrowser(): Promise<Browser | null> {
  const executablePath = chromiumPath();
  if (executablePath !== null) return chromium.launch({ executablePath, args: ['--no-sandbox'] });
  console.log('skipped: tests of pages need Chromium, which is not installed');
  return null;
}

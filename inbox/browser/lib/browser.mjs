// Debian's chromium, driven by playwright-core. Every test gets a browser context of its
// own, with nothing in it.

import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';

const installed = new URL('../../../.tools/browser/', import.meta.url);
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';

function missing(what) {
  const error = new Error(`${what} is missing: run scripts/setup`);
  error.setup = true;
  return error;
}

function load(name) {
  try {
    return createRequire(installed)(name);
  } catch (cause) {
    if (cause.code === 'MODULE_NOT_FOUND') throw missing(name);
    throw cause;
  }
}

export async function launch() {
  if (!existsSync(executablePath)) throw missing(`chromium (${executablePath}, or what CHROMIUM names)`);
  const { chromium } = load('playwright-core');
  // What changes is drawn with all that is around it: in parts, a corner can differ by a shade.
  const whole = '--disable-partial-raster';
  return chromium.launch({
    executablePath, headless: true,
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--font-render-hinting=none', whole],
  });
}

/** The source of axe-core, which looks for what keeps people from using a page. */
export function axeSource() {
  return load('axe-core').source;
}

export const sizes = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };

/**
 * @param {any} browser
 * @param {{size?: 'desktop'|'phone', scheme?: 'light'|'dark'}} options
 */
export function newContext(browser, { size = 'desktop', scheme = 'light' } = {}) {
  const phone = size === 'phone';
  return browser.newContext({ viewport: sizes[size], colorScheme: scheme, reducedMotion: 'reduce', locale: 'en-GB', timezoneId: 'Europe/Berlin', hasTouch: phone, isMobile: phone, deviceScaleFactor: 1, serviceWorkers: 'block' });
}

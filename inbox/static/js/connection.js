// The line to the server: its state in the corner.

import { byId } from './dom.js';
import { state } from './state.js';

export function drawConnection() {
  const corner = byId('connection');
  const name = state.me && !state.me.people ? state.me.name : ''; // else it has a place of its own
  const words = { connecting: 'Connecting…', live: name ? `Live, as ${name}` : 'Live', lost: 'Not connected', refused: 'Signed out' };
  corner.dataset.state = state.connection === 'refused' ? 'lost' : state.connection;
  corner.textContent = words[state.connection];
  const lost = byId('lost');
  lost.hidden = state.connection !== 'lost';
  lost.textContent = lost.hidden ? '' : 'The connection to the server is lost. Nothing can be answered until it is back; the page keeps trying. What you see may be out of date.';
}

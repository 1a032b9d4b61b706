/* Starts the service on loopback, at the port that is given or 8080. */
import { createService } from './service.js';

const port = Number(process.argv[2] ?? 8080);
createService().listen(port, '127.0.0.1', () => console.log(`http://127.0.0.1:${port}/retarget`));

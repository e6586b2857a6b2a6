/**
 * Test files run side by side, one per core: a session that takes all cores by default would only wait for the others'.
 * Tests of threads say how many.
 */
import { syncBuiltinESMExports } from "node:module";
import os from "node:os";

os.availableParallelism = () => 1;
syncBuiltinESMExports();

/**
 * A studio in a process of its own, so that it can be killed: its arguments are a run or a folder, and the page. It is
 * compiled, as is the command line that it starts: a dozen processes start in a quarter of the time that tsx takes.
 */
import { fileURLToPath } from "node:url";
import { startStudio } from "../.compiled-for-tests/studio/server.js";
import { subjectOf } from "../.compiled-for-tests/studio/subject.js";

const [subject, page] = process.argv.slice(2);
const program = fileURLToPath(new URL("../.compiled-for-tests/cli/main.js", import.meta.url));
const { address } = await startStudio(subjectOf(subject), { page, program });
console.log(address);

import { render } from "preact";
import "../../report/page/base.css";
import "./styles/frame.css";
import "./styles/grid.css";
import "./styles/views.css";
import "./styles/sheets.css";
import { App } from "./app.tsx";
import { follow } from "./state/studio.ts";

follow();
render(<App />, document.body);

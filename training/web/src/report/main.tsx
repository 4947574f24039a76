import { render } from "preact";
import "../base.css";
import { App } from "./App";
import { readData } from "./data";
import "./report.css";

render(<App data={readData()} />, document.body);

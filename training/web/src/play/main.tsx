import { render } from "preact";
import "../base.css";
import "./play.css";
import { App } from "./App";

render(<App />, document.body);

package model

import (
	"reflect"
	"testing"

	"github.com/assent-dev/assent/internal/strictjson"
)

// plainOrNot are blocks; those that are usual are read without the codec.
var plainOrNot = map[string]bool{
	`{"type":"text","text":"a\nb"}`:                                                                      true,
	`{ "text" : "\u00e9", "type" : "text" }`:                                                             true,
	`{"type":"text","text":"a","cache":{}}`:                                                              true,
	`{"type":"text"}`:                                                                                    false,
	`{"type":"text","text":null}`:                                                                        false,
	`{"type":"text","text":1}`:                                                                           false,
	`{"type":"tool_use","id":"t","name":"Bash","input":{ "a": 1 }}`:                                      true,
	`{"type":"tool_use","id":"t","name":"Bash","input":{}}`:                                              true,
	`{"type":"tool_use","id":"t","name":"Bash","input":{},"garbled":"x"}`:                                false,
	`{"type":"tool_use","id":"t","name":"Bash","input":{},"garbled":""}`:                                 false,
	`{"type":"tool_use","id":"t","name":"Bash","input":[]}`:                                              false,
	`{"type":"tool_use","id":"t","name":"Bash"}`:                                                         false,
	`{"type":"tool_use","id":1,"name":"Bash","input":{}}`:                                                false,
	`{"type":"tool_use","name":"Bash","input":{}}`:                                                       false,
	`{"type":"tool_result","tool_use_id":"t","content":[]}`:                                              true,
	`{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"a"}],"is_error":true}`:    true,
	`{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"a"}],"is_error":false}`:   true,
	`{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"a"}],"is_error":"true"}`:  false,
	`{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"a"}],"is_error":null}`:    false,
	`{"type":"tool_result","tool_use_id":"t","content":[{"type":"image","source":{"data":"QQ=="}}]}`:     false,
	`{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"a"},{"text":"no type"}]}`: false,
	`{"type":"tool_result","tool_use_id":"t","content":["a"]}`:                                           false,
	`{"type":"tool_result","tool_use_id":"t","content":"a"}`:                                             false,
	`{"type":"tool_result","tool_use_id":"t","content":null}`:                                            false,
	`{"type":"tool_result","tool_use_id":"t"}`:                                                           false,
	`{"type":"tool_result","tool_use_id":null,"content":[]}`:                                             false,
	`{"type":"thinking","thinking":"hm"}`:                                                                false,
	`{"type":["text"],"text":"a"}`:                                                                       false,
	`{"Type":"text","text":"a"}`:                                                                         false,
	`["type","text"]`:                                                                                    false,
	`null`:                                                                                               false,
}

func TestUsualBlocksAreReadWithoutTheCodec(t *testing.T) {
	for text, plain := range plainOrNot {
		n, err := strictjson.Tree(text)
		if err != nil {
			t.Fatal(err)
		}
		var b Block
		if got := b.readPlain(n); got != plain {
			t.Errorf("%s: %v", text, got)
		}
		bothAgree(t, []byte(text))
	}
}

// bothAgree: the codec reads a block as it was read without it.
func bothAgree(t *testing.T, text []byte) {
	t.Helper()
	n, err := strictjson.Tree(text)
	if err != nil {
		return
	}
	var plain, codec Block
	if !plain.readPlain(n) {
		return
	}
	if err := codec.read(text); err != nil || !reflect.DeepEqual(plain, codec) {
		t.Errorf("%s is %+v, and %+v to the codec, %v", text, plain, codec, err)
	}
}

func FuzzPlainBlock(f *testing.F) {
	for text := range plainOrNot {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) { bothAgree(t, text) })
}
